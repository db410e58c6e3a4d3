import { expect, test } from 'vitest';
import { qwenHost } from '../../../../src/agents/qwen/host.ts';
import type { LoadContext } from '../../../../src/core/contracts/dialect.ts';
import { encodeAnswer } from '../../../../src/engine/answer/encode.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const { entry, dialect } = qwenHost;
const CONTEXT: LoadContext = {
  scope: 'user',
  folder: '/h/.qwen',
  folderName: '.qwen',
  idPrefix: 'x',
  checkPattern: () => undefined,
  read: () => undefined,
  stat: () => undefined,
};

test('the event is the one the payload names; an empty prompt is nobody’s', () => {
  expect(qwenHost.eventsOf({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' }, undefined)).toEqual(['UserPromptSubmit']);
  expect(qwenHost.eventsOf({ hook_event_name: 'UserPromptSubmit', prompt: '' }, undefined)).toEqual([]);
  expect(qwenHost.eventsOf({ hook_event_name: 'PreToolUse' }, 'Stop')).toEqual(['PreToolUse']);
  expect(qwenHost.eventsOf({ hook_event_name: 'Nothing' }, undefined)).toEqual(expect.any(String));
});

test('an entry of ours reads back without a complaint', async () => {
  const line = 'hookline hook qwen';
  const load = await dialect.loader();
  for (const event of entry.events) {
    const { path, value } = entry.entry(event, line);
    expect(path).toEqual(['hooks', event]);
    const { hooks, diagnostics } = load(parseJson('settings.json', JSON.stringify({ hooks: { [event]: [value] } })), CONTEXT);
    expect(diagnostics).toEqual([]);
    expect(hooks).toMatchObject([{ event, when: [], handler: { config: { command: line } }, timeoutMs: 60_000 }]);
  }
});

test('a rewrite without consent to a permission is a refusal, never a consent', () => {
  const { answer: words } = encodeAnswer(qwenHost, 'PermissionRequest', {
    decision: { kind: 'pass' },
    effects: [{ kind: 'rewrite', value: {} }],
  });
  expect(JSON.parse(words.stdout)).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
});
