/** The laws of MCP alone, over the observations of `agents/mcp-own.mjs`. */
import { expect, test } from 'vitest';
import type { Scenes } from './project-laws.ts';

const DENIED = 'notes are private';

export function mcpLaws(scenes: Scenes): void {
  test('a denied tool never runs, whether it was registered before or after the guard', async () => {
    const { ran, errors, texts } = (await scenes())['registered'] ?? {};
    expect([ran, errors]).toEqual([[], [true, true]]);
    expect(texts).toEqual([expect.stringContaining(DENIED), expect.stringContaining(DENIED)]);
  });

  test('a handler that replaces `tools/call`, or that stands for all methods, is guarded too', async () => {
    expect((await scenes())['replacedHandlers']).toEqual({ ran: [], errors: [true, true] });
  });

  test('hooks see the error of a tool as a result, and can replace it', async () => {
    expect((await scenes())['toolErrors']).toEqual({ kinds: ['tool.after'], isError: true, text: 'the key hidden is wrong' });
  });

  test('nothing of a structured result is left when a hook replaces it', async () => {
    expect((await scenes())['structured']).toEqual({ object: { key: 'hidden' }, isError: true, leaks: false });
  });

  test('a client asks once for each call, and a raw request is guarded like `callTool`', async () => {
    const tool = 'mcp__files__read';
    expect((await scenes())['onceEach']).toEqual({ asked: [tool, tool, tool], ran: ['read a', 'read b'], isError: true });
  });

  test('a held call names its ticket, the retry runs once after the approval, and a replay runs nothing', async () => {
    const { ran, ...seen } = (await scenes())['retries'] ?? {};
    expect(seen).toEqual({ says: true, early: true, before: 0, after: 'deploy production', replay: true });
    expect(ran).toEqual(['deploy production']);
  });

  test('parallel calls are judged each by itself', async () => {
    const even = Array.from({ length: 10 }, (_, index) => `${index * 2}!`).sort();
    expect((await scenes())['parallel']).toEqual({ ran: even, denied: 10 });
  });

  test('a call whose caller is unknown does not run', async () => {
    const { ran, texts } = (await scenes())['badContext'] ?? {};
    expect(ran).toEqual([]);
    expect(texts).toEqual([expect.stringContaining('no such user'), expect.stringContaining('has no session')]);
  });

  test('the session of the transport and the `_meta` of the request tell who calls', async () => {
    expect((await scenes())['sessions']).toEqual({ sessions: [['string', 'ann', 'object']] });
  });

  test('a person is not asked a question that a hook denies, and a denied answer is declined', async () => {
    const { asked, answers } = (await scenes())['elicitation'] ?? {};
    expect(asked).toEqual(['your name?', 'the admin?']);
    expect(answers).toEqual(['decline undefined', 'accept ann', 'decline undefined']);
  });

  test('a model is not called for a server if a hook denies it, and a replaced answer is what the server gets', async () => {
    const { asked, denied, replaced } = (await scenes())['sampling'] ?? {};
    expect([asked, replaced]).toEqual([['a question'], 'a redacted answer']);
    expect(denied).toContain(DENIED);
  });

  test('each round of a call that asks for input is judged', async () => {
    expect((await scenes())['rounds']).toEqual({ asked: ['ask', 'ask'], ran: ['ask x'], text: 'ask x' });
  });

  test('a server of the newest protocol is guarded', async () => {
    const ran = ['read rewritten'];
    expect((await scenes())['newestProtocol']).toEqual({ era: 'modern', isError: true, text: 'read rewritten', ran });
  });
}
