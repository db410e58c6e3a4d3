/** The adapter keeps its contract in the oldest and the newest version of the OpenAI Agents SDK, and the laws of this SDK alone. */
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { sdk } from '../../src/sdk/openai-agents/capabilities.ts';
import { inSdkProject } from './install.ts';
import { describeProject } from './project-laws.ts';
import { VERSIONS } from './versions.ts';

const TYPES = `
  import { Agent, OpenAIProvider, Runner, type Model } from '@openai/agents';
  import type { Hookline } from 'hookline';
  import { guardAgent, guardModel, guardModelProvider } from 'hookline/openai-agents';
  declare const hookline: Hookline;
  declare const own: Model;
  const agent: Agent = guardAgent(new Agent({ name: 'A', model: guardModel(own, hookline, { session: 's' }) }), hookline, { session: 's' });
  guardAgent(new Agent<{ chat: string }>({ name: 'B' }), hookline, ({ context }) => ({ session: (context as { chat: string }).chat }));
  const runner = new Runner({ modelProvider: guardModelProvider(new OpenAIProvider(), hookline, () => ({ session: 's' })) });
  export const { finalOutput } = await runner.run(agent, 'go');
`;

for (const version of VERSIONS['openai-agents']) {
  describeAdapter({ describe, test, expect }, { sdk, ...inSdkProject(sdk.id, version) });
  describeProject(sdk, version, TYPES, (scenes) => {
    test('a tool of an MCP server is held, and runs once a person has approved it', async () => {
      const { held, ran, answer } = (await scenes())['mcp'] ?? {};
      expect([held, ran]).toEqual([['call-deploy'], ['x']]);
      expect(answer).toContain('deployed the x');
    });

    test('a held call of an agent that is a tool suspends the whole run, and resumes from its saved state', async () => {
      const { held, ran, answer } = (await scenes())['nested'] ?? {};
      expect([held, ran]).toEqual([['call-deploy'], ['x']]);
      expect(answer).toContain('deployed the x');
    });

    test('the tools of an agent that takes over are guarded too', async () => {
      const { held, ran } = (await scenes())['handoff'] ?? {};
      expect([held, ran]).toEqual([['call-deploy'], []]);
    });

    test('the session comes from the context of the run', async () => {
      expect((await scenes())['sessions']?.['sessions']).toEqual(['chat-1', 'chat-2']);
    });

    test('an answer that no hook can change streams as it comes', async () => {
      expect((await scenes())['live']?.['deltas']).toEqual(['two ', 'words']);
    });

    test('a tool that runs here and cannot be guarded is an error', async () => {
      expect((await scenes())['unguarded']?.['error']).toContain('cannot be guarded');
    });
  });
}
