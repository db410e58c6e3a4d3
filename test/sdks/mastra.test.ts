/** The adapter keeps its contract in the oldest and the newest version of Mastra, and the laws of Mastra alone. */
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { sdk } from '../../src/sdk/mastra/capabilities.ts';
import { inSdkProject } from './install.ts';
import { describeProject } from './project-laws.ts';
import { VERSIONS } from './versions.ts';

const TYPES = `
  import { Agent } from '@mastra/core/agent';
  import { Mastra } from '@mastra/core/mastra';
  import type { Hookline } from 'hookline';
  import { type AgentRun, type Caller, type CallerOfRun, guardAgent, type HeldCall } from 'hookline/mastra';
  declare const hookline: Hookline;
  const byRun: CallerOfRun = ({ requestContext }: AgentRun): Caller => ({ session: String(requestContext.get('chat')), user: 'ann' });
  const config = { id: 'a', name: 'a', instructions: 'Work.', model: 'openai/gpt-5' } as const;
  const agents = { a: guardAgent(new Agent(config), hookline, byRun), b: guardAgent(new Agent(config), hookline) };
  export const held = (value: HeldCall): string => value.hookline.ticket;
  export const { text } = await new Mastra({ agents }).getAgent('a').generate('go');
`;

interface Ticket {
  readonly state: string;
  readonly session: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

for (const version of VERSIONS.mastra) {
  describeAdapter({ describe, test, expect }, { sdk, ...inSdkProject(sdk.id, version) });
  describeProject(sdk, version, TYPES, (scenes) => {
    test('a run that is resumed while its ticket is open is suspended again, and runs once it is approved', async () => {
      const { finishReason, suspendPayload, early, text, ran, tickets } = (await scenes())['resumedEarly'] ?? {};
      expect([finishReason, early, text, ran]).toEqual(['suspended', 'suspended', 'deployed the x', ['x']]);
      expect(suspendPayload).toMatchObject({ suspendPayload: { hookline: { tool: 'deploy', toolCallId: 'call-deploy' } } });
      expect(tickets).toMatchObject([{ state: 'approved', metadata: { agent: 'worker', toolCallId: 'call-deploy' } }]);
    });

    test('a held call of an agent that another one delegates to suspends both, and runs once it is approved', async () => {
      const { finishReason, held, text, ran } = (await scenes())['nested'] ?? {};
      expect([finishReason, ran]).toEqual(['suspended', ['x']]);
      expect(held).toContain('call-deploy');
      expect(text).toContain('deployed the x');
    });

    test('tools that a run brings along are guarded, and its own tool hooks do not replace Hookline', async () => {
      const { finishReason, ran } = (await scenes())['toolsOfTheRun'] ?? {};
      expect([finishReason, ran]).toEqual(['suspended', []]);
    });

    test('the session comes from the caller, from the thread, or is the run, and a thread keeps it when it is resumed', async () => {
      const { runId, tickets, text, ran } = (await scenes())['sessions'] ?? {};
      expect(new Set((tickets as Ticket[]).map(({ session }) => session))).toEqual(new Set(['chat-1', 'chat-2', runId]));
      expect([text, ran]).toEqual(['deployed the x', ['x']]);
    });

    test('a tool that suspends the run itself has no result until it is resumed', async () => {
      const { suspendPayload, text, fired } = (await scenes())['asking'] ?? {};
      expect(suspendPayload).toMatchObject({ suspendPayload: { question: 'which?' } });
      expect([text, fired]).toEqual(['the answer is both', [['tool.after', 'ask']]]);
    });

    test('an answer that no hook can change streams as it comes', async () => {
      expect((await scenes())['live']?.['deltas']).toEqual(['two ', 'words']);
    });

    test('a replaced result does not reach a function that expects the tool’s own', async () => {
      expect((await scenes())['modelOutput']?.['text']).toBe('redacted');
    });

    test('a durable agent is guarded', async () => {
      const { skipped, text, ran } = (await scenes())['durable'] ?? {};
      expect(ran).toEqual([]);
      if (skipped === undefined) expect(text).toContain('never');
    });

    test('a run that does not ask the guarded methods is found out before a tool runs, and the agent runs no more', async () => {
      const { tools, models, ran } = (await scenes())['past'] ?? {};
      for (const [method, failures] of [
        ['convertTools', tools],
        ['resolveModelConfig', models],
      ] as const) {
        const error = `@mastra/core ${version.version} runs the agent worker without asking its \`${method}\``;
        expect(failures).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(error)));
      }
      expect(ran).toEqual([]);
    });

    test('a network, another object and a model that cannot be guarded are errors', async () => {
      const { network, noAgent, oldModel } = (await scenes())['unguarded'] ?? {};
      expect(network).toContain('past the hooks');
      for (const error of [noAgent, oldModel]) expect(error).toContain('cannot be guarded');
    });
  });
}
