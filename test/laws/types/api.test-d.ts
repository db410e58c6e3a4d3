/** Misuse of the library is a compile error. Checked by `tsc`; nothing here runs. */
import type { Hookline, Json, JsonObject, Outcome } from '../../../src/index.ts';
import { createHookline } from '../../../src/index.ts';

declare module '../../../src/index.ts' {
  interface HooklineTools {
    Charter: { readonly route: { readonly from: string; readonly to: string } };
  }
}

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

/** Each decision has the fields that belong to it, and a field that may be absent can still be read. */
export function decided(outcome: Outcome): string {
  const anyReason: string | null = outcome.reason;
  const anyTicket: string | undefined = outcome.ticket?.id;
  switch (outcome.decision) {
    case 'hold':
      return `${outcome.ticket.id} ${outcome.reason.trim()}`;
    case 'deny':
    case 'ask':
      return outcome.reason.trim();
    case 'allow':
      // @ts-expect-error an allow may have no reason
      return outcome.reason.trim();
    case 'pass':
      return `${anyReason} ${anyTicket} ${outcome.reason satisfies null}`;
  }
}

/** A hook may return on some paths only, at once or later. */
export function returns(): void {
  hookline.on('tool.before', ({ data }) => {
    if (data.tool === 'Bash') return { decision: 'deny', reason: 'no' };
    return undefined;
  });
  hookline.on('tool.before', async ({ data }) => {
    if (data.tool === 'Bash') return { decision: 'hold', reason: 'wait', state: { any: 'json' } };
    return;
  });
  hookline.on('notification', async ({ data }) => {
    await Promise.resolve(data.message);
  });
  hookline.on('tool.before', ({ data }) => (data.tool === 'Bash' ? { decision: 'allow' } : null));
  hookline.on('tool.after', ({ data }) => (data.result === undefined ? undefined : { decision: 'deny', reason: 'It has a secret.' }));
  hookline.on('prompt.submit', ({ data }) => ({ rewrite: data.prompt.trim(), context: ['a', 'b'] }));
  // @ts-expect-error a deny needs a reason
  hookline.on('tool.before', () => ({ decision: 'deny' }));
  // @ts-expect-error so does a question
  hookline.on('tool.before', () => ({ decision: 'ask' }));
  // @ts-expect-error and a hold
  hookline.on('tool.before', async () => ({ decision: 'hold', state: {} }));
  // @ts-expect-error there is no such key
  hookline.on('tool.before', () => ({ deny: 'No.' }));
  // @ts-expect-error a word is no answer
  hookline.on('tool.before', () => 'deny');
  // @ts-expect-error neither is a boolean
  hookline.on('tool.before', () => true);
}

/** The name of a tool tells the type of its input. */
export function inputs(): void {
  hookline.on('tool.before', ({ data }) => {
    // Of any tool, each value may be anything.
    const anything: Json | undefined = data.input['command'];
    const name: string = data.tool;
    if (data.tool === 'Bash') return { notice: data.input.command.trim(), context: `${data.input.timeout?.toFixed()}` };
    if (data.tool === 'Write') return { notice: `${data.input.file_path.length} ${data.input.content.length}` };
    // @ts-expect-error not of this tool
    if (data.tool === 'Read') return { notice: data.input.content.trim() };
    switch (data.tool) {
      case 'MultiEdit':
        return { notice: data.input.edits[0]?.new_string.trim() };
      case 'Grep':
        return { notice: `${data.input['-A']?.toFixed()} ${data.input.pattern.trim()}` };
      case 'Charter':
        return { notice: data.input.route.from.trim() };
      default:
        return { notice: `${name} ${String(anything)}` };
    }
  });
  // @ts-expect-error a tool that is neither known nor declared: most likely its name is misspelt
  hookline.on('tool.after', ({ data }) => (data.tool === 'Bahs' ? { notice: 'x' } : undefined));
  hookline.on('permission.request', ({ data }) => (data.tool === 'WebFetch' ? { notice: data.input.url.trim() } : undefined));
}

export function firesAnyTool(tool: string, input: JsonObject): void {
  void hookline.fire('tool.before', { tool: 'Unheard-of', input: { any: ['thing'] } });
  void hookline.fire('tool.after', { tool, input, result: 'done' });
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
