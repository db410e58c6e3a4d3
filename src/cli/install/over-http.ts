/**
 * `hookline install --via http`: the agent's entry for the server, and the warnings before it. Most agents take a dead server for consent,
 * so it is only written if the entry makes the agent block then, or if the user accepts that.
 */

import type { Reach } from '../../core/contracts/entry-line.ts';
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { gatesOverHttp, reachFor } from '../../install/host-files.ts';
import { resolveHome } from '../../load/find/home.ts';
import { makeFolder, readEndpoint, readOrCreateToken, readPort, serveFiles, writePort } from '../../server/endpoint.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import type { TaskPlaces } from './task.ts';

export interface ChosenReach {
  readonly reach: Reach;
  readonly remarks: readonly Diagnostic[];
}

/** `program` and `installed`: for the events that stay commands. */
export function reachByHttp(args: Arguments, { host, scope }: TaskPlaces, program: readonly string[], installed: string): ChosenReach {
  const failOpen = hasFlag(args, 'fail-open');
  refuseUnsafe(host, scope, failOpen);
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const files = serveFiles(stateFolder);
  const port = optionValue(args, 'port') ?? (readEndpoint(files)?.port ?? readPort(files))?.toString();
  if (port === undefined) {
    throw usageError(
      'No `hookline serve` runs, so its address is not known.',
      'Start `hookline serve --port 4680 --background`, or name the port with `--port`.',
    );
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) === 0 || Number(port) > 65_535) throw usageError(`\`${port}\` is no port.`);
  makeFolder(files.folder);
  if (!hasFlag(args, 'dry-run')) writePort(files, Number(port));
  const headers = { 'x-hookline-token': readOrCreateToken(files) };
  const reach: Reach = { via: 'http', base: `http://127.0.0.1:${port}`, headers, program, installed, failOpen };
  return { reach, remarks: remarksOn(host, reach, port) };
}

function refuseUnsafe(host: Host, scope: string, failOpen: boolean): void {
  const { http, whyNoHttp } = host.entry;
  const without = 'Leave out `--via http`.';
  if (http === false) throw usageError(whyNoHttp ?? `${host.title} cannot send requests itself.`, without);
  if (scope === 'project') {
    throw usageError(
      'An address of this machine, and the token that it wants, do not belong in a file that others share.',
      'Leave out `--scope project`.',
    );
  }
  if (gatesOverHttp(host, failOpen).length > 0) return;
  throw usageError(
    `${host.title} goes ahead without asking while no server answers, and nothing in its file could make it block.`,
    `${without} If that is acceptable to you, add \`--fail-open\`.`,
  );
}

function remarksOn(host: Host, reach: Reach, port: string): Diagnostic[] {
  const { events, http } = host.entry;
  const commands = events.filter((event) => reachFor(host, event, reach).via === 'command');
  const asked = gatesOverHttp(host, reach.via === 'http' && reach.failOpen);
  const open = asked.filter((event) => http !== false && !http.blocksWhenDead(event));
  const without = `While \`hookline serve\` does not run on port ${port}, no hook is asked of it: ${host.title} ${
    open.length === 0 ? 'then blocks what can be denied' : `then runs ${open.join(', ')} without a check`
  }.`;
  const needs: Diagnostic = {
    severity: 'warning',
    code: 'needs-server',
    message: `${host.title} asks http://127.0.0.1:${port} from now on. ${without}`,
    hint: `Start \`hookline serve --background\` with your session; it takes port ${port} from now on, and stays.`,
  };
  const message = `${commands.join(', ')}: ${host.title} would not send these to an address, or would take a missing answer for consent, so they stay commands.`;
  return commands.length === 0 ? [needs] : [needs, { severity: 'info', code: 'stays-command', message }];
}
