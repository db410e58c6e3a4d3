import { expect, test } from 'vitest';
import { codexHost } from '../../../../src/agents/codex/host.ts';
import type { LoadContext } from '../../../../src/core/contracts/dialect.ts';
import { type Effect, PASS } from '../../../../src/core/decision/decision.ts';
import { encodeAnswer, encodeDeny } from '../../../../src/engine/answer/encode.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const { entry, dialect } = codexHost;

test('the event is the one the payload names, and the entry where it names none', () => {
  expect(codexHost.eventsOf({ hook_event_name: 'Stop' }, 'PreToolUse')).toEqual(['Stop']);
  expect(codexHost.eventsOf({}, 'SessionEnd')).toEqual(['SessionEnd']);
  expect(codexHost.eventsOf({}, undefined)).toEqual(expect.any(String));
  expect(codexHost.eventsOf({ hook_event_name: 'toString' }, undefined)).toEqual(expect.any(String));
});

test('an entry of ours has nothing in it that would make Codex drop the file', async () => {
  const context: LoadContext = {
    scope: 'user',
    folder: '/h/.codex',
    folderName: '.codex',
    idPrefix: 'x',
    checkPattern: () => undefined,
    read: () => undefined,
    stat: () => undefined,
  };
  const load = await dialect.loader();
  for (const event of entry.events) {
    const { path, value } = entry.entry(event, 'hookline hook codex');
    expect(path).toEqual(['hooks', event]);
    const { hooks, diagnostics } = load(parseJson('hooks.json', JSON.stringify({ hooks: { [event]: [value] } })), context);
    expect(diagnostics).toEqual([]);
    expect(hooks).toMatchObject([{ event, when: [], handler: { config: { command: 'hookline hook codex' } }, detach: false }]);
  }
});

test('silence is an empty stdout and exit 0', () => {
  expect(encodeAnswer(codexHost, 'PreToolUse', { decision: PASS, effects: [] }).answer).toEqual({ stdout: '', stderr: '', exit: 0 });
});

const OTHER_EFFECTS: readonly Effect[] = [
  { kind: 'rewrite', value: { command: 'ls' } },
  { kind: 'notice', text: 'n' },
];

test('a deny is exit 2 with words on stderr, so that nothing a shell prints can spoil it', () => {
  const host = { ...codexHost, deniesByExit: true };
  for (const event of ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'UserPromptSubmit', 'SubagentStop', 'Stop']) {
    const { answer: words, notEncoded: unsaid } = encodeAnswer(host, event, {
      decision: { kind: 'deny', reason: 'no' },
      effects: OTHER_EFFECTS,
    });
    expect({ event, words, unsaid }).toEqual({ event, words: { stdout: '', stderr: 'no\nn', exit: 2 }, unsaid: [] });
    expect(encodeDeny(host, event, 'no')).toEqual({ stdout: '', stderr: 'no', exit: 2 });
  }
});

test('a deny is JSON where an exit code does not say it', () => {
  const inJson = (event: string, effects: readonly Effect[], reason: string, deniesByExit: boolean): unknown => {
    const { answer: words } = encodeAnswer({ ...codexHost, deniesByExit }, event, { decision: { kind: 'deny', reason }, effects });
    expect(words).toMatchObject({ exit: 0, stderr: '' });
    return JSON.parse(words.stdout);
  };
  expect(inJson('PreToolUse', OTHER_EFFECTS, 'no', false)).toEqual({
    systemMessage: 'n',
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
  });
  expect(inJson('PreCompact', [], 'no', true)).toEqual({ continue: false, stopReason: 'no' });
  // It takes exit 2 without a word for a failure.
  expect(inJson('Stop', [], ' ', true)).toEqual({ decision: 'block', reason: expect.stringContaining('no reason') });
  expect(inJson('Stop', [{ kind: 'halt', reason: 'enough' }], 'no', true)).toMatchObject({ continue: false, decision: 'block' });
});
