/** What holds around a session: the entries come in, are proved, are used from wherever the project stands, and go out without a trace. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../src/builtins.ts';
import { hookline } from '../flows/cli/program.ts';
import { trustInCodex } from '../flows/install/codex-trust.ts';
import type { Workspace } from '../support/workspace.ts';
import type { Agent } from './agent.ts';
import { GATES } from './project.ts';
import { runSession, type Session, type SessionOptions } from './session.ts';

const LIMIT = { timeout: 240_000 };

/** `settings`: what the user has in the agent's file before, in a form that the agent itself leaves as it is. */
export function describeJourney(agent: Agent, settings: string): void {
  const { word, says } = GATES['HOOK.md'];
  const denied = (options: SessionOptions): Promise<Session> => runSession(agent, [agent.shell(`touch ran-${word}`)], options);

  describe(`Hookline in ${agent.id}`, () => {
    test('what was installed is proved, writes down what it said, and goes out without a trace', LIMIT, async () => {
      const file = HOSTS.find(({ id }) => id === agent.id)?.entry.files.user ?? '';
      const proofs: string[] = [];
      const before = async (workspace: Workspace): Promise<void> => {
        // An entry that Codex does not trust is not started, so the canary would not count.
        if (agent.id === 'codex') trustInCodex(workspace);
        proofs.push(await run(workspace, ['doctor', '--canary', '--json']));
      };
      const session = await denied({ files: { [`~/${file}`]: settings }, before });
      expect(session.has(`ran-${word}`), session.output).toBe(false);
      expect(proofs.join('')).not.toContain('canary-failed');
      expect(await run(session.workspace, ['log'])).toContain(says);
      await run(session.workspace, ['uninstall', agent.id]);
      expect(readFileSync(session.workspace.at(`~/${file}`), 'utf8')).toBe(settings);
    });

    test('a project whose path has spaces is protected by entries of its own', LIMIT, async () => {
      const session = await denied({ folder: "Ann's 2nd project", install: ['--scope', 'project'] });
      expect(session.has(`ran-${word}`), session.output).toBe(false);
      expect(session.heard[1]).toContain(says);
    });

    test('the server answers where one runs', LIMIT, async () => {
      const states: string[] = [];
      const session = await denied({
        before: async (workspace) => void (await run(workspace, ['serve', '--background', '--home', workspace.home])),
        after: async (workspace) => {
          states.push(await run(workspace, ['serve', 'status', '--json', '--home', workspace.home]));
          await run(workspace, ['serve', 'stop', '--home', workspace.home]);
        },
      });
      expect(session.has(`ran-${word}`), session.output).toBe(false);
      expect(JSON.parse(states.join(''))).toMatchObject({ events: expect.toSatisfy((events: number) => events > 0) });
    });
  });
}

async function run(workspace: Workspace, argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await hookline(workspace, argv);
  return `${stdout}${stderr}`;
}
