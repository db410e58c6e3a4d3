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
    expect((await loadText(text('rm x'), 'a', none)).hooks).toEqual([]);
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
  'log-has-no-effect': () => {
    expect(wire.decodeReply({ log: 'seen' }, 'before_tool', EVENT)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  },
};

test.each(quirks)('$id: $behaviour', ({ id }) => proofs[id]?.());

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(proofs).sort()).toEqual(quirks.map(({ id }) => id).sort());
});
