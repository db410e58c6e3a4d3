/** The adapter keeps its contract in the oldest and the newest version of the Claude Agent SDK, with the Claude Code that each brings along. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type AdapterJob, describeAdapter } from '../../src/api/testing/index.ts';
import { sdk } from '../../src/sdk/claude-agent-sdk/capabilities.ts';
import { inSdkProject, sdkProject } from './install.ts';
import { pageLaws } from './project-laws.ts';
import { VERSIONS } from './versions.ts';

interface Scene {
  readonly modelCalls: number;
  /** Everything that the model got with its last call, and the results that the client got. */
  readonly seen: string;
  readonly results: string;
  readonly ended: string | null;
}

interface Report {
  readonly scenes: Readonly<Record<string, Scene>>;
  /** Whether the file of `unknownShape`, `notPermitted` and `allowed` was written. */
  readonly wrote: readonly boolean[];
}

for (const version of VERSIONS['claude-agent-sdk']) {
  const adapter = inSdkProject(sdk.id, version);
  describeAdapter({ describe, test, expect }, { sdk, ...adapter });

  describe(`Claude Code of ${version.version}`, () => {
    const { folder: project, node } = sdkProject(version);
    cpSync(path.join(import.meta.dirname, 'agents'), path.join(project, 'agents'), { recursive: true });

    test('of two held calls one waits and runs once it is approved; the other is denied and does not run', async () => {
      const folder = await adapter.newFolder();
      const hooks: AdapterJob['hooks'] = [{ on: 'tool.before', does: { decision: 'hold', reason: 'ask' } }];
      const calls = ['production', 'warehouse'].map((text) => ({ id: `call-${text}`, tool: 'deploy', input: { text } }));
      const first = await adapter.perform({ folder, hooks, calls });
      expect([first.ran, first.held.length, first.tickets.map(({ state }) => state).sort()]).toEqual([[], 1, ['open', 'withdrawn']]);
      await adapter.perform({ folder, hooks, settle: { approve: true, by: 'ann' } });
      const { ran, seen } = await adapter.perform({ folder, hooks, calls, resume: first.state });
      expect(ran.map(({ input }) => `call-${String(input['text'])}`)).toEqual(first.held);
      expect(Object.values(seen).filter((text) => text.includes('waits already'))).toHaveLength(1);
    });

    test('built-in tools, permissions, stops and prompts', async () => {
      const script = path.join(project, 'agents/claude-agent-sdk-own.mjs');
      const { stdout } = await promisify(execFile)(node, [script, mkdtempSync(path.join(project, 'scenes-'))], { maxBuffer: 2 ** 26 });
      const { scenes, wrote } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
      for (const { seen, results } of [scenes['shell'], scenes['file']] as Scene[]) {
        expect([seen.includes('a redacted text'), `${seen}${results}`.includes('KEPT SECRET')]).toEqual([true, false]);
      }
      // A result that cannot be replaced ends the run before the model sees it.
      expect(scenes['unknownShape']).toMatchObject({ modelCalls: 1, ended: 'hook_stopped' });
      // A hook without an opinion grants nothing; one that allows does.
      expect(wrote).toEqual([true, false, true]);
      expect(scenes['sentBack']?.modelCalls).toBe(2);
      expect(scenes['sentBack']?.seen).toContain('run the tests first');
      expect(scenes['noPrompt']?.modelCalls).toBe(0);
    });

    pageLaws(sdk.id, { folder: project, node });
  });
}
