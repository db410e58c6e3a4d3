/** What holds around a session: the entries come in, are proved, are used from wherever the project stands, and go out without a trace. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { HOSTS } from '../../src/builtins.ts';
import { hookline } from '../flows/cli/program.ts';
import { trustInCodex } from '../flows/install/codex-trust.ts';
import type { Workspace } from '../support/workspace.ts';
import { type Agent, testIn } from './agent.ts';
import { CRASH, GATES } from './project.ts';
import { runSession, type Session, type SessionOptions } from './session.ts';

const LIMIT_MS = 240_000;
/** A line that names the hook and says that it failed. */
const FAILED = new RegExp(`fail.*${CRASH.name}|${CRASH.name}.*fail`, 'i');

/** `own`: the user's files before, in a form that the agent itself leaves as it is; as text, the file that the entries go into. */
export function describeJourney(agent: Agent, own: string | Readonly<Record<string, string>>): void {
  const { word, says } = GATES['HOOK.md'];
  const denied = (options: SessionOptions): Promise<Session> => runSession(agent, [agent.shell(`touch ran-${word}`)], options);
  const { user, project } = HOSTS.find(({ id }) => id === agent.id)?.entry.files ?? { user: '' };
  const files = typeof own === 'string' ? { [`~/${user}`]: own } : own;
  const law = (name: string, run: () => Promise<void>): void => testIn(agent, name, LIMIT_MS, run);

  describe(`Hookline in ${agent.id}`, () => {
    law('what was installed is proved, writes down what it said, and goes out without a trace', async () => {
      const proofs: string[] = [];
      const before = async (workspace: Workspace): Promise<void> => {
        // An entry that Codex does not trust is not started, so the canary would not count.
        if (agent.id === 'codex') trustInCodex(workspace);
        proofs.push(await run(workspace, ['doctor', '--canary', '--json']));
      };
      const session = await denied({ files, before });
      expect(session.has(`ran-${word}`), session.output).toBe(false);
      expect(proofs.join('')).not.toContain('canary-failed');
      expect(await run(session.workspace, ['log'])).toContain(says);
      await run(session.workspace, ['uninstall', agent.id]);
      expect({ ...filesAt(session.workspace, `~/${user}`), ...filesIn(session.workspace, Object.keys(files)) }).toEqual(files);
    });

    law('a project whose path has spaces is protected, by entries of its own where the agent reads them', async () => {
      const session = await denied({ folder: "Ann's 2nd project", install: project === undefined ? [] : ['--scope', 'project'] });
      expect(session.has(`ran-${word}`), session.output).toBe(false);
      expect(session.heard[1]).toContain(says);
    });

    law('a gate that crashes is told to the person', async () => {
      const examined: string[] = [];
      const examine = async (workspace: Workspace): Promise<void> => void examined.push(await run(workspace, ['doctor']));
      const session = await runSession(agent, [agent.shell(`touch ran-${CRASH.word}`)], { before: examine, after: examine });
      expect(await run(session.workspace, ['log'])).toMatch(FAILED);
      expect(
        examined.map((said) => FAILED.test(said)),
        examined.join('\n'),
      ).toEqual([false, true]);
    });

    law('the server answers where one runs', async () => {
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

/** The files at a path of the home, which an agent may have as one file or as a folder with a file for each event. */
function filesAt(workspace: Workspace, name: string): Record<string, string> {
  const at = workspace.at(name);
  const found = statSync(at, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? filesIn(workspace, [name]) : {};
  return filesIn(
    workspace,
    readdirSync(at).map((file) => path.join(name, file)),
  );
}

function filesIn(workspace: Workspace, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, readFileSync(workspace.at(name), 'utf8')]));
}
