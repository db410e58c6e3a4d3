import { expect, test } from 'vitest';
import type { LoadContext } from '../../core/dialect.ts';
import { sayTo } from '../../core/host-words.ts';
import { parseJson } from '../../formats/json.ts';
import { codexHost } from './index.ts';

const { entry, speaks } = codexHost;

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
  const load = await speaks.loader();
  for (const event of entry.events) {
    const { path, value } = entry.entry(event, 'hookline hook codex');
    expect(path).toEqual(['hooks', event]);
    const { hooks, diagnostics } = load(parseJson('hooks.json', JSON.stringify({ hooks: { [event]: [value] } })), context);
    expect(diagnostics).toEqual([]);
    expect(hooks).toMatchObject([{ event, when: [], handler: { config: { command: 'hookline hook codex' } }, detach: false }]);
  }
});

test('silence is an empty stdout and exit 0, a deny is JSON with exit 0, whatever a hook said beside it', () => {
  expect(sayTo(codexHost, 'PreToolUse', { decision: { kind: 'pass' }, effects: [] }).words).toEqual({ stdout: '', stderr: '', exit: 0 });
  const effects = [
    { kind: 'rewrite', value: { command: 'ls' } },
    { kind: 'notice', text: 'n' },
  ] as const;
  const { words } = sayTo(codexHost, 'PreToolUse', { decision: { kind: 'deny', reason: 'no' }, effects });
  expect(words).toMatchObject({ exit: 0, stderr: '' });
  expect(JSON.parse(words.stdout)).toEqual({
    systemMessage: 'n',
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
  });
});
