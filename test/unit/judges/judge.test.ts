/** A judge: what it is asked, what counts as its verdict, what it may cost, and what it remembers. */
import { expect, test } from 'vitest';
import type { JudgeNote, JudgeQuestion } from '../../../src/core/contracts/judge.ts';
import type { Cost, KnownVerdict, Spending, Verdicts } from '../../../src/core/contracts/judge-memory.ts';
import { type JudgeOptions, judgeLimits } from '../../../src/core/contracts/judge-settings.ts';
import { askJudge, type JudgeContext } from '../../../src/judges/judge.ts';
import { projectFolder } from '../../../src/judges/tools/inside.ts';
import { calling, type ScriptedJudge, scriptedJudge, textOf } from '../../support/scripted-judge.ts';
import { createWorkspace } from '../../support/workspace.ts';

const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';

interface Memory extends JudgeContext {
  readonly verdicts: Verdicts & { readonly known: Map<string, KnownVerdict> };
  spent: Cost;
}

function memory(): Memory {
  const known = new Map<string, KnownVerdict>();
  const context: Memory = {
    spent: { tokens: 0, micros: 0 },
    project: undefined,
    verdicts: {
      known,
      get: (digest: string) => known.get(digest),
      set: (digest: string, one: KnownVerdict) => void known.set(digest, one),
    },
    spending: {
      of: () => context.spent,
      add(_: string | undefined, { tokens, micros }: Cost) {
        context.spent = { tokens: context.spent.tokens + tokens, micros: context.spent.micros + micros };
        return undefined;
      },
    } as Spending,
  };
  return context;
}

function question(more: Partial<JudgeQuestion> = {}): JudgeQuestion & { readonly notes: JudgeNote[] } {
  const notes: JudgeNote[] = [];
  return {
    ...{ kind: 'prompt', rule: 'Only read.', mark: undefined, dialect: 'd', event: 'PreToolUse', session: SESSION, ids: [SESSION] },
    ...{
      payload: { tool: 'shell', params: { command: 'ls' } },
      answer: { answers: ['ok'], also: [] },
      signal: new AbortController().signal,
    },
    ...{ notes, note: (note: JudgeNote) => void notes.push(note) },
    ...more,
  } as JudgeQuestion & { readonly notes: JudgeNote[] };
}

const ask = (model: ScriptedJudge, asked: JudgeQuestion = question(), context: JudgeContext = memory(), options: JudgeOptions = {}) =>
  askJudge({ id: 'scripted:one', limits: judgeLimits(options), open: () => model }, asked, context);

test('the model is asked once, coldly, for JSON of one form, without tools, and about the whole event', async () => {
  const model = scriptedJudge('{"ok": false, "reason": "no"}');
  expect(await ask(model)).toMatchObject({ kind: 'value', value: { ok: false, reason: 'no' }, judged: { model: 'scripted:one' } });
  expect(model.asked).toHaveLength(1);
  const [asked] = model.asked;
  expect(asked).toMatchObject({
    temperature: 0,
    maxOutputTokens: 1024,
    responseFormat: { type: 'json', schema: { required: ['ok', 'reason'] } },
  });
  expect(asked).not.toHaveProperty('tools');
  expect(asked && textOf(asked)).toContain('{"params":{"command":"ls"},"tool":"shell"}');
});

test('the event takes the place of the mark of its format, and otherwise follows the rule', async () => {
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  await ask(model, question({ rule: 'Is $ARGUMENTS safe?', mark: '$ARGUMENTS' }));
  await ask(model, question({ rule: 'Is $ARGUMENTS safe?' }));
  const [marked, plain] = model.asked.map((asked) => textOf(asked));
  expect(marked).toMatch(/Is <event-\w{32}>\n\{"params".*\}\n<\/event-\w{32}> safe\?/);
  expect(plain).toMatch(/Is \$ARGUMENTS safe\?\n\nThe event:\n<event-\w{32}>\n\{"params"/);
});

test('ids of the session and the call are not shown, and nothing else is left out', async () => {
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  const payload = { session_id: SESSION, callId: 'c1', transcript: `/logs/${SESSION}.jsonl`, command: `rm -r x # ${SESSION} c1` };
  await ask(model, question({ payload, ids: [SESSION, 'c1'] }));
  const shown = model.asked[0] && textOf(model.asked[0]);
  expect(shown).toContain('{"callId":"(id)","command":"rm -r x # (id) c1","session_id":"(id)","transcript":"/logs/(id).jsonl"}');
});

test('a session that is named like a command hides nothing of the command', async () => {
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  const session = 'deploy --to production';
  await ask(
    model,
    question({ payload: { session_id: session, command: session, params: { command: `sh -c '${session}'` } }, ids: [session] }),
  );
  const shown = model.asked[0] && textOf(model.asked[0]);
  expect(shown).toContain(`{"command":"${session}","params":{"command":"sh -c '${session}'"},"session_id":"(id)"}`);
});

test('an event that is too large is a fault, and the model is not asked about a part of it', async () => {
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  const large = question({ payload: { text: 'x'.repeat(2000) } });
  expect(await ask(model, large, memory(), { maxEventBytes: 1000 })).toMatchObject({
    fault: 'oversize',
    detail: expect.stringContaining('at most 1000'),
  });
  expect(model.asked).toEqual([]);
});

test.each([
  ['prose', 'It is fine.', 'malformed'],
  ['a fence', '```json\n{"ok": true, "reason": ""}\n```', 'malformed'],
  ['half a JSON', '{"ok": true', 'malformed'],
  ['nothing', '', 'malformed'],
  ['a text for a boolean', '{"ok": "false", "reason": ""}', 'malformed'],
  ['another key', '{"ok": true, "reason": "", "confidence": 1}', 'malformed'],
  ['a cut answer', { content: [{ type: 'text', text: '{"ok": true, "reason": ""}' }], finishReason: { unified: 'length' } }, 'malformed'],
  ['a cut answer of an older model', { content: [{ type: 'text', text: '{"ok": true}' }], finishReason: 'length' }, 'malformed'],
  ['a filtered answer', { content: [], finishReason: { unified: 'content-filter' } }, 'malformed'],
  ['a broken answer', { content: [{ type: 'text', text: '{"ok": true}' }], finishReason: { unified: 'error' } }, 'malformed'],
  ['a tool that it does not have', calling(['read_file', { path: 'a' }]), 'malformed'],
] as const)('%s is a fault, is not remembered, and its cost is noted', async (_, answer, fault) => {
  const context = memory();
  const asked = question();
  expect(await ask(scriptedJudge(answer), asked, context)).toMatchObject({ kind: 'fault', fault });
  expect(context.verdicts.known.size).toBe(0);
  expect(asked.notes.at(-1)?.inputTokens).toBeGreaterThan(0);
  expect(context.spent.tokens).toBeGreaterThan(0);
});

test('a refusal in an answer that is no verdict still refuses', async () => {
  expect(await ask(scriptedJudge('{"ok": false, "reason": "", "confidence": 1}'))).toMatchObject({
    fault: 'malformed',
    reply: { value: { ok: false } },
  });
});

test.each([
  [Object.assign(new Error('slow down'), { statusCode: 429, isRetryable: true }), 'status', 2],
  [
    Object.assign(new Error('bad key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'), { statusCode: 401, isRetryable: false }),
    'status',
    1,
  ],
  [new TypeError('fetch failed'), 'network', 1],
  [new Error('odd'), 'threw', 1],
])('a provider that fails is a fault by its kind, after one more try if that may help: %s', async (error, fault, tries) => {
  const model = scriptedJudge(() => {
    throw error;
  });
  const answer = await ask(model);
  expect(answer).toMatchObject({ kind: 'fault', fault });
  expect(JSON.stringify(answer)).not.toContain('abcdefghijklmnop');
  expect(model.asked).toHaveLength(tries);
});

test('a second try that succeeds is an answer', async () => {
  let tries = 0;
  const model = scriptedJudge(() => {
    tries++;
    if (tries === 1) throw Object.assign(new Error('busy'), { statusCode: 529, isRetryable: true });
    return '{"ok": true, "reason": ""}';
  });
  expect(await ask(model)).toMatchObject({ kind: 'value' });
});

test('an answer after the deadline counts for nothing, now and later', async () => {
  const controller = new AbortController();
  const context = memory();
  const model = scriptedJudge(() => {
    controller.abort();
    return '{"ok": true, "reason": ""}';
  });
  await ask(model, question({ signal: controller.signal }), context);
  expect(context.verdicts.known.size).toBe(0);
});

test('the same question of another session is answered from the cache, at no cost', async () => {
  const model = scriptedJudge('{"ok": false, "reason": "no"}');
  const context = memory();
  const first = await ask(model, question({ payload: { id: SESSION, command: 'ls' } }), context);
  const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const again = await ask(model, question({ payload: { id: other, command: 'ls' }, ids: [other], session: other }), context);
  expect(model.asked).toHaveLength(1);
  const digest = 'judged' in first && first.judged?.digest;
  expect(again).toMatchObject({ value: { ok: false, reason: 'no' }, judged: { cached: true, digest, inputTokens: 0, outputTokens: 0 } });
});

test.each([
  ['rule', { rule: 'Another rule.' }],
  ['kind', { kind: 'agent' }],
  ['event', { payload: { tool: 'shell', params: { command: 'ls -l' } } }],
  ['name of the event', { event: 'Stop' }],
  ['format', { dialect: 'e' }],
] as const)('another %s is another question', async (_, more) => {
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  const context = memory();
  await ask(model, question(), context);
  await ask(model, question(more as Partial<JudgeQuestion>), context);
  expect(model.asked).toHaveLength(2);
});

test('another model is another question', async () => {
  const context = memory();
  const models = [scriptedJudge('{"ok": true, "reason": ""}'), scriptedJudge('{"ok": false, "reason": "no"}')];
  for (const [i, model] of models.entries())
    await askJudge({ id: `scripted:${i}`, limits: judgeLimits({}), open: () => model }, question(), context);
  expect(models.map(({ asked }) => asked.length)).toEqual([1, 1]);
});

test('tokens and money are counted as the provider reports them', async () => {
  const context = memory();
  const answer = await ask(scriptedJudge('{"ok": true, "reason": ""}'), question(), context, { prices: { input: 3, output: 15 } });
  expect(answer).toMatchObject({ judged: { cached: false, inputTokens: 100, outputTokens: 20, money: 0.0006 } });
  expect(answer).not.toHaveProperty('judged.estimated');
  expect(context.spent).toEqual({ tokens: 120, micros: 600 });
});

test('a provider that counts nothing is taken at its likely cost, never at none', async () => {
  const context = memory();
  const silent = { content: [{ type: 'text', text: '{"ok": true, "reason": ""}' }], usage: {} };
  const answer = await ask(scriptedJudge(silent), question(), context, { maxTokens: 50 });
  expect(answer).toMatchObject({ judged: { estimated: true, outputTokens: 50 } });
  expect(context.spent.tokens).toBeGreaterThan(50);
});

test.each([
  [{ budget: { tokens: 500 } }, 'tokens'],
  [{ budget: { money: 0.000001 }, prices: { input: 1, output: 1 } }, 'costs about'],
] as const)('a question beyond the budget is not asked: %j', async (options, says) => {
  const context = memory();
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  expect(await ask(model, question(), context, options)).toMatchObject({ fault: 'unavailable', detail: expect.stringContaining(says) });
  expect(model.asked).toEqual([]);
  expect(context.spent).toEqual({ tokens: 0, micros: 0 });
});

test('a cost that cannot be counted is a fault, and the model is not asked', async () => {
  const model = scriptedJudge('{"ok": true, "reason": ""}');
  const context = { ...memory(), spending: { of: () => ({ tokens: 0, micros: 0 }), add: () => 'the folder is read-only' } };
  expect(await ask(model, question(), context)).toMatchObject({
    fault: 'unavailable',
    detail: expect.stringContaining('the folder is read-only'),
  });
  expect(model.asked).toEqual([]);
});

test('an agent looks into the project with tools that only read, and its verdict holds while the files do', async () => {
  const workspace = createWorkspace({ 'src/a.ts': 'export const secret = 1;\n', 'notes.md': 'x' });
  const context = { ...memory(), project: projectFolder(workspace.root, workspace.home) };
  const verdict = '{"ok": true, "reason": ""}';
  const model = scriptedJudge(
    calling(['read_file', { path: 'src/a.ts' }], ['list_files', { path: '.' }]),
    verdict,
    calling(['read_file', { path: 'src/a.ts' }]),
    verdict,
  );
  const asked = question({ kind: 'agent' });
  expect(await ask(model, asked, context)).toMatchObject({ value: { ok: true }, judged: { steps: 2, inputTokens: 200, outputTokens: 40 } });
  expect(model.asked[0]?.tools?.map(({ name }) => name)).toEqual(['read_file', 'list_files', 'search_files']);
  const seen = model.asked[1] && textOf(model.asked[1]);
  expect(seen).toMatch(/<event-(\w{32})>\nexport const secret = 1;\n\n<\/event-\1>/);
  expect(seen).toContain('notes.md\nsrc/');
  expect(await ask(model, asked, context)).toMatchObject({ judged: { cached: true } });
  workspace.write({ 'src/a.ts': 'export const secret = 2;\n' });
  expect(await ask(model, asked, context)).toMatchObject({ judged: { cached: false } });
  expect(model.asked).toHaveLength(4);
});

test('an agent that never comes to a verdict is a fault after its last step', async () => {
  const model = scriptedJudge(calling(['list_files', { path: '.' }]));
  expect(await ask(model, question({ kind: 'agent' }), memory(), { maxSteps: 3 })).toMatchObject({
    fault: 'malformed',
    detail: expect.stringContaining('3 steps'),
  });
  expect(model.asked).toHaveLength(3);
});

test('the budget stops an agent between two steps', async () => {
  const model = scriptedJudge(calling(['list_files', { path: '.' }]), '{"ok": true, "reason": ""}');
  const context = memory();
  const likely = 900;
  expect(await ask(model, question({ kind: 'agent' }), context, { maxTokens: 10, budget: { tokens: likely } })).toMatchObject({
    fault: 'unavailable',
  });
  expect(model.asked.length).toBeLessThan(2);
});
