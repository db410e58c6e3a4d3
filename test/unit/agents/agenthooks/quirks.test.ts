import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dialect as agenthooks } from '../../../../src/agents/agenthooks/dialect.ts';
import { load } from '../../../../src/agents/agenthooks/load.ts';
import { triggerNamed } from '../../../../src/agents/agenthooks/profile.ts';
import { quirks } from '../../../../src/agents/agenthooks/quirks.ts';
import type { FileFact, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { parseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/agenthooks');
const { wire, profile } = agenthooks;
const EVENT: HookEvent = { id: 'e', kind: 'stop.before', at: '2026-01-01T00:00:00Z', session: { id: 's', cwd: '/' }, data: {} };

async function loadText(text: string, folderName: string, fact: FileFact = { kind: 'file', executable: true }): Promise<Loaded> {
  return load(await parseFrontmatter('HOOK.md', text), {
    scope: 'user',
    folder: `/h/${folderName}`,
    folderName,
    idPrefix: 'p',
    checkPattern: () => undefined,
    read: () => undefined,
    stat: (path) => (path === 'scripts/run.sh' ? fact : undefined),
  });
}

/** What an event knows and section 5 of the document has no key for. */
const KNOWN: readonly [string, JsonObject, JsonObject][] = [
  ['session_start', { source: 'startup' }, { source: 'startup' }],
  ['after_agent', { message: { role: 'assistant', content: 'Done.' } }, { final_message: { role: 'assistant', content: 'Done.' } }],
  ['subagent_start', { id: 'sub-1', depth: 2 }, { agent_id: 'sub-1', depth: 2 }],
  [
    'subagent_stop',
    { id: 'sub-1', success: false, result: 'r', error: 'e', durationMs: 5, metadata: { success: 'of the host', x: 1 } },
    { agent_id: 'sub-1', success: false, result: 'r', error: 'e', duration_ms: 5, x: 1 },
  ],
];

const proofs: Record<string, () => void | Promise<void>> = {
  'eleven-events': () => expect(Object.keys(profile.events)).toHaveLength(11),
  'renamed-triggers': () => {
    expect(triggerNamed('pre-agent-turn-stop')).toBe('before_stop');
    expect(triggerNamed('toString')).toBeUndefined();
  },
  'own-command': async () => {
    const text = (command: string) => `---\nname: a\ndescription: d\ntrigger: before_tool\nmetadata:\n  command: ${command}\n---\n`;
    const none: FileFact = { kind: 'folder', executable: false };
    const { hooks, diagnostics } = await loadText(text('hookline guard'), 'a', none);
    expect(hooks).toMatchObject([{ handler: { type: 'command', config: { command: 'hookline guard' } } }]);
    expect(diagnostics).toEqual([]);
    expect((await loadText(text('rm x'), 'a', none)).hooks).toMatchObject([{ nothingToRun: true }]);
    expect((await loadText(text('rm x'), 'a')).hooks).toMatchObject([{ handler: { config: { script: '/h/a/scripts/run.sh' } } }]);
  },
  'refusal-stands': () => {
    const broken = { reason: 5, modified_input: { a: 1 }, additional_context: [] };
    expect(wire.decodeReply({ decision: 'deny', ...broken }, 'before_tool', EVENT)).toMatchObject({ decision: { kind: 'deny' } });
    expect(wire.decodeReply({ decision: 'ask', ...broken }, 'before_tool', EVENT)).toMatchObject({ decision: { kind: 'ask' } });
    expect(typeof wire.decodeReply({ decision: 'allow', ...broken }, 'before_tool', EVENT)).toBe('string');
  },
  'spaced-json': () => {
    expect(profile.ask.command.json).toBe('spaced');
    // The example's own script, fed both spellings, shows why.
    const script = join(FIXTURES, 'block-dangerous-commands/scripts/run.sh');
    const run = (input: string) => execFileSync('bash', [script], { input, stdio: 'pipe' });
    expect(() => run('{"tool_input": {"command": "mkfs x"}}')).toThrow(/would destroy/);
    expect(() => run('{"tool_input":{"command":"mkfs x"}}')).not.toThrow();
  },
  'context-carries-the-rest': () => {
    const data: JsonObject = { reason: 'auto', metadata: { ticket: 'T' } };
    expect(wire.encodeEvent({ ...EVENT, data }, 'pre_compact')).toMatchObject({ reason: 'auto', context: { ticket: 'T' } });
    expect(wire.encodeEvent(EVENT, 'pre_compact')['context']).toEqual({});
    for (const [event, known, context] of KNOWN) {
      const { metadata: _, ...sample } = known;
      expect(wire.encodeEvent({ ...EVENT, data: known }, event)['context']).toEqual(context);
      expect(wire.decodeEvent(event, { event_type: event, context }).data).toMatchObject(sample);
    }
  },
  'names-are-free': async () => {
    const text = '---\nname: My Hook\ndescription: d\ntrigger: before_tool\n---\n';
    const { hooks, diagnostics } = await loadText(text, 'other');
    expect(hooks).toMatchObject([{ name: 'My Hook', enabled: true }]);
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['warning bad-name', 'warning name-mismatch']);
  },
  'nothing-to-run': async () => {
    const text = '---\nname: a\ndescription: d\ntrigger: before_tool\n---\n';
    const { hooks, diagnostics } = await loadText(text, 'a', { kind: 'folder', executable: false });
    expect(hooks).toMatchObject([{ enabled: false, nothingToRun: true }]);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'no-script' }]);
  },
  'plain-output': () => {
    for (const text of ['ok', '> test\n  Object { "a": 1 }', 'function () { return 1 }']) expect(wire.mayReply?.(text)).toBe(false);
    for (const text of ['hi {"decision": "deny"}', "{'decision': 'deny'", 'x\n{ modified_input: 1'])
      expect(wire.mayReply?.(text)).toBe(true);
  },
  'stop-context': () => {
    const context = (continuations: number) => wire.encodeEvent({ ...EVENT, data: { continuations } }, 'before_stop')['context'];
    expect(context(0)).toEqual({ stop_hook_active: false, continuations: 0 });
    expect(context(3)).toEqual({ stop_hook_active: true, continuations: 3 });
    expect(wire.decodeEvent('before_stop', { context: { stop_hook_active: true, continuations: 3 } }).data).toEqual({ continuations: 3 });
  },
  'fragments-are-not-hooks': async () => {
    const { hooks, diagnostics } = await loadText(readFileSync(join(FIXTURES, 'security-check/HOOK.md'), 'utf8'), 'security-check');
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', message: expect.stringContaining('description') }]);
  },
  'matcher-off-tool-events': async () => {
    const text = '---\nname: a\ndescription: d\ntrigger: before_stop\nmatcher:\n  tool: Shell\n---\n';
    const { hooks, diagnostics } = await loadText(text, 'a');
    expect(hooks[0]?.when).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'matcher-ignored', line: 5, column: 1 }]);
  },
  'script-without-execute-bit': async () => {
    const text = '---\nname: a\ndescription: d\ntrigger: before_stop\n---\n';
    const { hooks, diagnostics } = await loadText(text, 'a', { kind: 'file', executable: false });
    expect(hooks[0]?.handler.config).toEqual({ script: '/h/a/scripts/run.sh', viaShebang: true });
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'not-executable', line: 2 }]);
  },
  'empty-frontmatter-value': async () => {
    const text = '---\nname: a\ndescription: d\ntrigger: before_tool\nmatcher:\ntimeout:\nmetadata:\n---\n';
    const { hooks, diagnostics } = await loadText(text, 'a');
    expect(diagnostics).toEqual([]);
    expect(hooks[0]).toMatchObject({ timeoutMs: 30_000, when: [] });
  },
  'log-is-kept': () => {
    const kept = { decision: { kind: 'pass' }, effects: [], log: 'seen' };
    expect(wire.decodeReply({ log: 'seen' }, 'before_tool', EVENT)).toEqual(kept);
    expect(wire.decodeReply({ decision: 'deny', log: 'seen' }, 'before_tool', EVENT)).toMatchObject({ log: 'seen' });
  },
};

test.each(quirks)('$id: $behaviour', ({ id }) => proofs[id]?.());

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(proofs).sort()).toEqual(quirks.map(({ id }) => id).sort());
});
