/** The adapter keeps its contract in the oldest and the newest version of LangChain, and the laws of LangChain alone. */
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { sdk } from '../../src/sdk/langchain/capabilities.ts';
import { inSdkProject } from './install.ts';
import { describeProject } from './project-laws.ts';
import { VERSIONS } from './versions.ts';

const TYPES = `
  import type { Hookline } from 'hookline';
  import { type HeldCall, hooklineMiddleware } from 'hookline/langchain';
  import { createAgent } from 'langchain';
  declare const hookline: Hookline;
  const byRun = hooklineMiddleware(hookline, ({ configurable }) => ({ user: String(configurable?.['user']) }));
  const agent = createAgent({ model: 'openai:gpt-5', tools: [], middleware: [hooklineMiddleware(hookline), byRun] });
  export const held = (value: HeldCall): string => value.hookline.ticket;
  export const { messages } = await agent.invoke({ messages: [] });
`;

for (const version of VERSIONS.langchain) {
  describeAdapter({ describe, test, expect }, { sdk, ...inSdkProject(sdk.id, version) });
  describeProject(sdk, version, TYPES, (scenes) => {
    test('without a checkpointer a held call is refused with the reason, and no person is asked', async () => {
      const { answer, ran, tickets } = (await scenes())['bare'] ?? {};
      expect(answer).toContain('No checkpointer');
      expect([ran, (tickets as { state: string }[]).filter(({ state }) => state !== 'withdrawn')]).toEqual([[], []]);
    });

    test('without a thread a held call is refused with the reason, and no person is asked', async () => {
      const { answer, ran, tickets } = (await scenes())['threadless'] ?? {};
      for (const text of ['a person decides', 'no `thread_id`']) expect(answer).toContain(text);
      expect([ran, tickets]).toEqual([[], [{ state: 'withdrawn', metadata: {} }]]);
    });

    test('a run that is resumed while its ticket is open is suspended again, and runs once it is approved', async () => {
      const { stillHeld, answer, ran, tickets } = (await scenes())['resumedEarly'] ?? {};
      expect([stillHeld, answer, ran]).toEqual([1, 'deployed the x', ['x']]);
      expect(tickets).toMatchObject([{ metadata: { thread: 't1' } }]);
    });

    test('a call that is held inside a tool suspends the whole run, and is no error of the tool', async () => {
      const { held, answer, ran, errors } = (await scenes())['nested'] ?? {};
      expect([held, answer, ran, errors]).toEqual([['call-deploy'], 'deployed the x', ['x'], []]);
    });

    test('an interrupt of a tool itself is no error, and gets its answer', async () => {
      const { asked, answer, errors } = (await scenes())['asking'] ?? {};
      expect([asked, answer, errors]).toEqual([['which?'], 'the answer is both', []]);
    });

    test('an answer that no hook can change streams as it comes', async () => {
      expect((await scenes())['live']?.['texts']).toEqual(['two words', 'two ', 'words']);
    });
  });
}
