/** A project whose one hook wants a person for every deploy, denies `rm`, and has no objection to anything else. */
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline } from './program.ts';

const SCRIPT = `#!/bin/sh
case "$(cat)" in
  *deploy*) echo '{"decision":"ask","reason":"deploys need a second pair of eyes"}' ;;
  *rm*) echo '{"decision":"deny","reason":"nothing is deleted here"}' ;;
esac
`;

export interface Gate {
  readonly workspace: Workspace;
  run(...argv: string[]): Promise<Ended>;
  /** The one JSON document the command answers with. */
  json(...argv: string[]): Promise<Record<string, unknown>>;
  fire(command: string, ...more: string[]): Promise<Ended>;
  /** Fires what is held, and answers the id of its ticket. */
  hold(command?: string): Promise<string>;
}

/** To be called within a test. */
export function createGate(): Gate {
  const workspace = createWorkspace({
    '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': SCRIPT,
  });
  permitScripts(workspace);
  const store = ['--store', `sqlite:${workspace.at('~/held.db')}`];
  const run = (...argv: string[]): Promise<Ended> => hookline(workspace, [...argv, ...store]);
  const json = async (...argv: string[]): Promise<Record<string, unknown>> => JSON.parse((await run(...argv, '--json')).stdout);
  const fire = (command: string, ...more: string[]): Promise<Ended> =>
    run('fire', 'tool.before', '--tool', 'Bash', '--input', JSON.stringify({ command }), '--trust-all', ...more);
  const hold = async (command = 'deploy'): Promise<string> => JSON.parse((await fire(command, '--json')).stdout).ticket.id;
  return { workspace, run, json, fire, hold };
}
