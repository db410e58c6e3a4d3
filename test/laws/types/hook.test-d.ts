/** An answer that has no effect on its event is a compile error. Checked by `tsc`; nothing here runs. */
import { allow, ask, context, defineHook, deny, halt, hold, notice, replace, rewrite } from '../../../src/hook.ts';

export const rightUse = [
  defineHook({
    on: 'tool.before',
    match: { tool: ['Write', 'Edit'] },
    run(event) {
      if (event.data.input.file_path === '') return { ...deny('no'), ...context('a', 'b') };
      return rewrite({ ...event.data.input, file_path: '/tmp/a' });
    },
  }),
  defineHook({ on: 'tool.before', match: { tool: 'a-tool-of-my-own' }, run: (event) => hold(event.data.tool, event.data.input) }),
  defineHook({ on: 'tool.before', match: { tool: /^mcp__/ }, run: () => ({ ...ask('why?'), ...notice('look') }) }),
  defineHook({ on: 'prompt.submit', run: ({ data }) => rewrite(`${data.prompt} please`) }),
  defineHook({ on: 'tool.after', run: () => (Math.random() > 1 ? deny('secret') : replace({ any: ['json'] })) }),
  defineHook({ on: 'stop.before', run: () => deny('go on') }),
  defineHook({ on: 'session.end', run: () => ({ ...context('bye'), ...halt('over') }) }),
  defineHook({ on: 'notification', async run() {} }),
  defineHook({ on: 'tool.before', run: () => allow() }),
];

export const wrongUse = [
  // @ts-expect-error there is nothing to rewrite before a stop
  defineHook({ on: 'stop.before', run: () => rewrite({}) }),
  // @ts-expect-error a prompt is a text
  defineHook({ on: 'prompt.submit', run: () => rewrite({ prompt: 'x' }) }),
  // @ts-expect-error an input is an object
  defineHook({ on: 'tool.before', run: () => rewrite('x') }),
  // @ts-expect-error the tool has no result yet
  defineHook({ on: 'tool.before', run: () => replace('x') }),
  // @ts-expect-error the session has ended
  defineHook({ on: 'session.end', run: () => deny('x') }),
  // @ts-expect-error the tool has run, so nobody can be asked
  defineHook({ on: 'tool.after', run: () => ask('x') }),
  // @ts-expect-error a denial needs a reason
  defineHook({ on: 'tool.before', run: () => ({ decision: 'deny' }) }),
];
