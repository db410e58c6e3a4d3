import { expect, test } from 'vitest';
import { dialect as arawn } from '../../../../src/agents/arawn/dialect.ts';
import { load } from '../../../../src/agents/arawn/load.ts';
import { profile } from '../../../../src/agents/arawn/profile.ts';
import { quirks } from '../../../../src/agents/arawn/quirks.ts';
import { preview } from '../../../../src/agents/arawn/wire.ts';
import { expandRoot, ROOT_VARIABLE } from '../../../../src/agents/kit/plugin-root.ts';
import type { Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Condition, Hook } from '../../../../src/core/contracts/hook.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { type Compile, holds } from '../../../../src/core/event/match.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { parseProgram } from '../../../../src/load/formats/program.ts';

const { wire } = arawn;
const OK = { type: 'command', command: 'true' };
const EVENT: HookEvent = {
  id: 'e',
  kind: 'tool.before',
  at: '2026-01-01T00:00:00Z',
  session: { id: 's', cwd: '/' },
  data: { tool: 'shell' },
};
const compile: Compile = ({ source, anchor }) => {
  const pattern = new RegExp(anchor === 'whole' ? `^(?:${source})$` : source);
  return (value) => pattern.test(value);
};

function loadManifest(manifest: Json, hooksFile?: Json): Loaded {
  return load(parseJson('plugin.json', JSON.stringify(manifest)), {
    scope: 'user',
    folder: '/p',
    folderName: 'p',
    idPrefix: 'p',
    checkPattern: (source) => (source === '*' ? 'nothing to repeat' : undefined),
    read: (name) =>
      hooksFile === undefined || name.endsWith('.md') ? undefined : parseJson('hooks.json', JSON.stringify(hooksFile, null, 1)),
    stat: () => undefined,
  });
}

function loadGroup(event: string, group: Json): Loaded {
  return loadManifest({}, { hooks: { [event]: [group] } });
}

function fires(when: readonly Condition[] | undefined, event: HookEvent): boolean {
  return when?.every((condition) => holds(condition, facetValues(event, condition.facet), compile)) ?? false;
}

/** What a hook means that printed this and ended well. */
function judge(event: string, stdout: string): Verdict {
  const hook = loadGroup(event, { hooks: [OK] }).hooks[0] as Hook;
  const rule = profile.events[event as keyof typeof profile.events];
  return interpret({ kind: 'process', exit: 0, stdout, stderr: '' }, hook, rule, arawn, EVENT) as Verdict;
}

const proofs: Record<string, () => void> = {
  'not-started-is-no-block': () => {
    const { read } = profile.events.PreToolUse;
    expect(read.exit.find(({ exit }) => exit !== 'other' && (exit as readonly number[]).includes(127))?.means).toEqual({
      say: 'fault',
      fault: 'spawn',
    });
    expect(profile.fail.otherwise).toBe('pass');
  },
  'models-are-asked': () => {
    const { hooks, diagnostics } = loadGroup('PreToolUse', {
      hooks: [
        { type: 'prompt', prompt: 'Safe?' },
        { type: 'agent', agent: 'verifier', prompt: 'Look' },
      ],
    });
    expect(diagnostics).toEqual([]);
    expect(hooks.map(({ handler }) => handler)).toEqual([
      { type: 'prompt', config: { prompt: 'Safe?' } },
      { type: 'agent', config: { agent: 'verifier', prompt: 'Look' } },
    ]);
  },
  'agent-file': () => {
    const files: Record<string, string> = {
      'hooks/hooks.json': JSON.stringify({
        hooks: {
          PreToolUse: [
            {
              hooks: [
                { type: 'agent', agent: 'reviewer' },
                { type: 'agent', agent: '../../etc/passwd' },
              ],
            },
          ],
        },
      }),
      'agents/reviewer.md': '---\nname: reviewer\n---\n\nRead the rules.\n',
    };
    const asked: string[] = [];
    const { hooks } = load(parseJson('plugin.json', '{}'), {
      ...{ scope: 'user', folder: '/p', folderName: 'p', idPrefix: 'p', checkPattern: () => undefined, stat: () => undefined },
      read(name, format) {
        asked.push(name);
        const text = files[name];
        return text === undefined ? undefined : format === 'json' ? parseJson(name, text) : parseProgram(name, text);
      },
    });
    expect(hooks.map(({ handler }) => handler.config)).toEqual([
      { agent: 'reviewer', instructions: 'Read the rules.' },
      { agent: '../../etc/passwd' },
    ]);
    expect(asked).toEqual(['hooks/hooks.json', 'agents/reviewer.md']);
  },
  'model-informs': () => {
    expect(wire.decodeValue({ ok: false, reason: 'odd' }, 'Stop', EVENT)).toEqual({
      decision: { kind: 'pass' },
      effects: [{ kind: 'notice', text: 'odd' }],
    });
  },
  'session-context': () => {
    const { effects } = judge('SessionStart', 'Use pnpm here.');
    expect(effects).toEqual([
      { kind: 'notice', text: 'Use pnpm here.' },
      { kind: 'context', text: 'Use pnpm here.' },
    ]);
    expect(wire.decodeReply({ ok: true, reason: 'odd' }, 'SessionStart', EVENT)).toMatchObject({
      effects: [{ kind: 'notice' }, { kind: 'context' }],
    });
    expect(judge('Stop', 'Noted.').effects).toEqual([{ kind: 'notice', text: 'Noted.' }]);
  },
  'absurd-timeout': () => {
    const { hooks, diagnostics } = loadGroup('PreToolUse', { hooks: [{ ...OK, timeout: 5 }] });
    expect(hooks).toMatchObject([{ unusable: expect.stringContaining('5 ms') }]);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'short-timeout' }]);
  },
  'star-is-everything': () => {
    expect(loadGroup('PreToolUse', { matcher: '*', hooks: [OK] })).toMatchObject({ hooks: [{ when: [] }], diagnostics: [] });
    expect(loadGroup('Stop', { matcher: '*', hooks: [OK] })).toMatchObject({ hooks: [{ when: [] }], diagnostics: [] });
  },
  'whole-name': () => {
    const { hooks } = loadGroup('PreToolUse', { matcher: 'shell|file_.*', hooks: [OK] });
    const on = (tool: string) => fires(hooks[0]?.when, { ...EVENT, data: { tool } });
    expect(['shell', 'file_read', 'shell_exec', 'my_file_read'].map(on)).toEqual([true, true, false, false]);
  },
  'matcher-off-tool-events': () => {
    const { hooks, diagnostics } = loadGroup('SessionStart', { matcher: '.*', hooks: [OK] });
    expect(fires(hooks[0]?.when, { ...EVENT, kind: 'session.start', data: {} })).toBe(false);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'matcher-never-fires', line: 5, column: 16 }]);
  },
  'quoted-root': () => {
    expect(expandRoot(`${ROOT_VARIABLE}/a`, '/my plugins')).toBe("'/my plugins'/a");
    expect(expandRoot(`"${ROOT_VARIABLE}/a"`, '/my plugins')).toBe('"/my plugins/a"');
  },
  'root-exported': () => {
    expect(loadGroup('Stop', { hooks: [OK] }).hooks[0]?.env).toEqual({ CLAUDE_PLUGIN_ROOT: '/p', ARAWN_PLUGIN_DIR: '/p' });
  },
  'preview-length': () => {
    expect(preview('x'.repeat(500))).toBe(`${'x'.repeat(197)}...`);
  },
  'both-subagent-ends': () => {
    const event: HookEvent = { ...EVENT, kind: 'subagent.after', data: { name: 'r', result: 'found' } };
    expect(profile.events.SubagentStop.kinds).toEqual(profile.events.SubagentCompleted.kinds);
    expect(wire.encodeEvent(event, 'SubagentStop')).toEqual(wire.encodeEvent(event, 'SubagentCompleted'));
  },
  'inline-hooks': () => {
    const events = { Stop: [{ hooks: [OK] }] };
    for (const hooks of [events, { hooks: events }]) {
      expect(loadManifest({ hooks })).toMatchObject({ hooks: [{ event: 'Stop', source: { file: 'plugin.json' } }], diagnostics: [] });
    }
  },
  'no-bare-map': () => {
    const { hooks, diagnostics } = loadManifest({}, { Stop: [{ hooks: [OK] }] });
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', file: 'hooks.json', hint: expect.stringContaining('hooks') }]);
  },
};

test.each(quirks)('$id: $behaviour', ({ id }) => proofs[id]?.());

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(proofs).sort()).toEqual(quirks.map(({ id }) => id).sort());
});
