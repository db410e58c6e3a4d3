/** `hookline pause`: a person lets the agents work without hooks for a short time, for example if a hook locks them out. */
import { sha256 } from '../../api/clock.ts';
import type { LogRecord } from '../../core/contracts/decision-record.ts';
import { resolveHome } from '../../load/find/home.ts';
import { endPause, LONGEST_PAUSE_MS, type Pause, pauseDiagnostic, readPause, writePause } from '../../stores/pause.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemOf, problemText } from '../failure.ts';
import { startedBy } from '../input/started-by.ts';
import { userName } from '../input/user-name.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { withStore } from '../store.ts';

export { pauseSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const [action = 'start'] = args.positionals;
  const current = readPause(stateFolder, Date.now());
  if (action === 'status') return status(args, current);
  if (action === 'end') return end(args, stateFolder, current);
  if (action !== 'start') throw usageError(`\`hookline pause\` has no action \`${action}\`.`, 'Actions: status, end.');
  return start(args, stateFolder);
}

function status(args: Arguments, pause: Pause | undefined): CommandResult {
  const text = pause ? `${pauseDiagnostic(pause).message}\n` : 'Hookline is not paused.\n';
  return { exit: pause ? EXIT.negative : EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument({ paused: pause ?? null }) : text };
}

async function end(args: Arguments, stateFolder: string, pause: Pause | undefined): Promise<CommandResult> {
  if (!pause) return status(args, undefined);
  endPause(stateFolder);
  const unlogged = await record(args, { ...pause, by: userName(), until: Date.now() }, 'ended');
  return { exit: EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument({ paused: null }) : 'The pause has ended.\n', err: unlogged };
}

async function start(args: Arguments, stateFolder: string): Promise<CommandResult> {
  const forMs = readDuration(optionValue(args, 'for') ?? '10m');
  const reason = optionValue(args, 'reason') ?? '';
  const agent = startedBy(process.env);
  // No option replaces the terminal: a pause is the one thing that an agent must never obtain.
  if (agent !== undefined || process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    const message = agent === undefined ? 'Only a person at a terminal can pause Hookline.' : `${agent} may not pause Hookline.`;
    const err = problemText({ message, hint: 'Run the command yourself, in a terminal that no agent has started.' });
    return { exit: EXIT.negative, ...(hasFlag(args, 'json') && { out: jsonDocument({ paused: null, reason: message }) }), err };
  }
  const { askForEach } = await import('../input/confirm.ts');
  const question = `For ${forMs / 60_000} minutes no hook of yours or of a project protects this machine. Pause? [y/N] `;
  const { yes } = await askForEach([question], (text) => text);
  if (yes.length === 0) return { exit: EXIT.negative, out: 'Nothing was changed.\n' };
  const at = Date.now();
  const pause: Pause = { at, until: at + forMs, by: userName(), reason };
  writePause(stateFolder, pause);
  const unlogged = await record(args, pause, 'started');
  return {
    exit: EXIT.ok,
    out: hasFlag(args, 'json') ? jsonDocument({ paused: pause }) : `${pauseDiagnostic(pause).message}\n`,
    err: unlogged,
  };
}

/** Returns a warning if the log cannot be written. A broken store may be the very reason for the pause. */
async function record(args: Arguments, pause: Pause, what: 'started' | 'ended'): Promise<string> {
  const at = Date.now();
  const data = { setting: 'pause', [what]: new Date(at).toISOString(), until: new Date(pause.until).toISOString(), by: pause.by };
  const entry: LogRecord = {
    ...{ id: `pause-${at.toString(36)}-${process.pid}`, at, session: 'hookline pause', root: process.cwd(), kind: 'config.change' },
    ...{ tool: null, decision: 'pass', reason: `A pause was ${what} by ${pause.by}.${pause.reason === '' ? '' : ` ${pause.reason}`}` },
    ...{ ticket: null, data, masked: [], outcome: {}, digests: { event: `sha256:${sha256(JSON.stringify(data))}`, hooks: '' }, ms: 0 },
  };
  try {
    await withStore(args, async (store) => store.log.append(entry, sha256));
    return '';
  } catch (error) {
    return problemText({ message: `The log does not show this pause: ${problemOf(error).message}`, hint: 'Fix the store.' });
  }
}

function readDuration(text: string): number {
  const [, number, unit = 'm'] = /^(\d{1,4})([smh])?$/.exec(text) ?? [];
  const ms = Number(number) * ({ s: 1000, m: 60_000, h: 3_600_000 }[unit] as number);
  if (ms > 0 && ms <= LONGEST_PAUSE_MS) return ms;
  throw usageError(`\`--for\` must be a time of at most one hour, not \`${text}\`.`, 'Write `--for 10m`.');
}

/** `hookline pause` as data. */
export const pauseSpec: CommandSpec = {
  name: 'pause',
  summary: 'Let agents work without hooks for a short time, if a hook locks them out. Only a person can, and it is logged.',
  takes: '[status|end]',
  words: { min: 0, max: 1, missing: '' },
  options: [
    { name: 'for', value: 'TIME', help: 'Length of the pause, such as `90s` or `10m`; at most `1h`. Default: 10m.' },
    { name: 'reason', value: 'TEXT', help: 'Reason for the log.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'It needs a terminal, and asks for confirmation there. It ends by itself. Managed hooks and functions of a program are asked nevertheless.',
    'While it lasts, every answer, `hookline list` and `hookline doctor` say so. `status` ends with 1 while it lasts.',
  ],
  examples: [
    { does: 'For ten minutes', line: 'hookline pause --reason "the gate is broken"' },
    { does: 'End it before its time', line: 'hookline pause end' },
  ],
};
