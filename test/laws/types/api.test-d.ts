/** Misuse of the library is a compile error. Checked by `tsc`; nothing here runs. */
import type { Hookline, Outcome } from '../../../src/index.ts';
import { createHookline } from '../../../src/index.ts';

declare const hookline: Hookline;

export async function rightUse(): Promise<Outcome[]> {
  const made = await createHookline({ root: '.', only: ['arawn'], trust: 'all', handlers: { slack: ({ channel }) => channel } });
  const off = made.on('tool.before', ({ data }) => (data.tool === 'Bash' ? { decision: 'deny', reason: 'no' } : undefined), {
    match: /Bash/i,
  });
  off();
  made.on('tool.after', () => {});
  made.on('tool.after', async () => {});
  made.registerSkill({ name: 'x', hooks: [{ event: 'PreToolUse', matcher: /Shell/, handler: () => ({ pending: { any: 'json' } }) }] });
  made.registerSkill({
    name: 'x',
    hooks: [{ event: 'pre_llm_request', handler: { execute: (config, context) => void [config, context] } }],
  });
  made.registerSkill({ name: 'x', hooks: [{ event: 'post_conversation_save', handler: [Math, 'max', [1]] }] });
  await createHookline({ agent: 'my-agent', handlers: { slack: { execute: ({ channel }) => channel } } });
  return [
    await made.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } }, { session: 's1' }),
    await made.fire({ as: 'claude-agent', event: 'PreToolUse', payload: {} }),
    await made.resume('id', { approve: true, by: 'ann', note: 'ok' }),
  ];
}

export function misuse(outcome: Outcome): void {
  // @ts-expect-error there is no such kind
  void hookline.fire('tool.befor', { tool: 'Bash', input: {} });
  // @ts-expect-error a tool event names its tool
  void hookline.fire('tool.before', { input: {} });
  // @ts-expect-error a tool's input is a map
  void hookline.fire('tool.before', { tool: 'Bash', input: 'ls' });
  // @ts-expect-error a function hook answers with one of the five decisions
  hookline.on('tool.before', () => ({ decision: 'block' }));
  // @ts-expect-error the payload of a prompt has no tool
  hookline.on('prompt.submit', ({ data }) => ({ notice: data.tool }));
  // @ts-expect-error skills return ok, deny or pending
  hookline.registerSkill({ name: 'x', hooks: [{ event: 'PreToolUse', handler: () => ({ allow: true }) }] });
  // @ts-expect-error skillkit has no such event
  hookline.registerSkill({ name: 'x', hooks: [{ event: 'BeforeLunch', handler: () => 'ok' }] });
  // @ts-expect-error nor one of this name in code
  hookline.registerSkill({ name: 'x', hooks: [{ event: 'pre_lunch', handler: () => 'ok' }] });
  // @ts-expect-error a handler object has `execute`
  hookline.registerSkill({ name: 'x', hooks: [{ event: 'pre_turn', handler: { run: () => 'ok' } }] });
  // @ts-expect-error trust is ask or all
  void createHookline({ trust: 'none' });
  // @ts-expect-error settling says whether it is approved
  void hookline.resume('id', { by: 'ann' });
  // @ts-expect-error outcomes are facts
  outcome.decision = 'pass';
}
