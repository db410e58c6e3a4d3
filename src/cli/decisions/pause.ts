/** `hookline pause`: a person lets the agents work without hooks for a short time, for example if a hook locks them out. */
import { resolveHome } from '../../load/find/home.ts';
import { endPause, LONGEST_PAUSE_MS, type Pause, pauseDiagnostic, readPause, writePause } from '../../stores/pause.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { askPerson, type Permitted, recordOrWarn, requirePerson } from '../input/by-a-person.ts';
import { userName } from '../input/user-name.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';

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
  const act = { kind: 'pause.ended', weight: 'installing', does: 'end a pause of Hookline', data: {} } as const;
  const permitted = await requirePerson(args, act);
  endPause(stateFolder);
  const err = await record(permitted, { ...pause, by: userName(), until: Date.now() }, 'ended');
  return { exit: EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument({ paused: null }) : 'The pause has ended.\n', err };
}

async function start(args: Arguments, stateFolder: string): Promise<CommandResult> {
  const forMs = readDuration(optionValue(args, 'for') ?? '10m');
  const reason = optionValue(args, 'reason') ?? '';
  // No option or setting replaces the person: a pause is the one thing that an agent must never obtain.
  const act = { kind: 'pause.started', weight: 'pausing', does: 'pause Hookline', data: { minutes: forMs / 60_000 } } as const;
  const permission = await askPerson(args, act);
  if (!permission.permitted) return rejection(args, permission.message, permission.hint);
  if (!isInteractive()) return rejection(args, 'Only a person at a terminal can pause Hookline.', 'Run it without pipes.');
  const { askForEach } = await import('../input/confirm.ts');
  const question = `For ${forMs / 60_000} minutes no hook of yours or of a project protects this machine. Pause? [y/N] `;
  const { yes } = await askForEach([question], (text) => text);
  if (yes.length === 0) return { exit: EXIT.negative, out: 'Nothing was changed.\n' };
  const at = Date.now();
  const pause: Pause = { at, until: at + forMs, by: userName(), reason };
  writePause(stateFolder, pause);
  const err = await record(permission, pause, 'started');
  return { exit: EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument({ paused: pause }) : `${pauseDiagnostic(pause).message}\n`, err };
}

function rejection(args: Arguments, message: string, hint: string): CommandResult {
  const out = hasFlag(args, 'json') && { out: jsonDocument({ paused: null, reason: message }) };
  return { exit: EXIT.negative, ...out, err: problemText({ message, hint }) };
}

/** Returns a warning if the log cannot be written. A broken store may be the very reason for the pause. */
async function record(permitted: Permitted, { by, reason, until }: Pause, what: 'started' | 'ended'): Promise<string> {
  const says = `A pause was ${what} by ${by}.${reason === '' ? '' : ` ${reason}`}`;
  const message = await recordOrWarn(permitted.record(says, { until: new Date(until).toISOString(), by }));
  return message === undefined ? '' : problemText({ message, hint: 'Fix the store.' });
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
