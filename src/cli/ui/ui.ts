/** `hookline ui`: serves the dashboard of this machine until no page is open. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { STORES } from '../../builtins.ts';
import { resolveHome } from '../../load/find/home.ts';
import { storeName } from '../../stores/open-store.ts';
import type { Session } from '../../ui/credentials.ts';
import type { RunningUi } from '../../ui/server.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument, write } from '../output.ts';
import { openKeeping, openViewsOf, usedStore } from '../store.ts';
import { packageFolder, packageVersion } from '../version.ts';
import { sessionHere, sessionOfPeer } from './person.ts';
import { askForCode, publish, readRunning, runningFile, withdraw } from './running.ts';
import { leaveCodeAsItIs, yieldToAgents } from './yield-to-agents.ts';

export { uiSpec as spec };

const DEFAULT_IDLE = '30m';
/** How long the command keeps running to notify people of what was settled. */
const TELL_MS = 5000;
/** The browser has read the file by then, and the code no longer works. */
const OPENED_MS = 60_000;

export async function run(args: Arguments): Promise<CommandResult> {
  const [port, idleMs] = [readPort(args), readIdle(args)];
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const store = await usedStore(args);
  const file = runningFile(stateFolder, storeName(store, stateFolder, STORES) ?? '');
  const session = await sessionHere(args);
  const other = port === undefined ? readRunning(file) : undefined;
  const given = other?.version === packageVersion() ? await askForCode(other) : undefined;
  // A dashboard that cannot see who asks gives a link that may only read. One that may settle is worth a second dashboard.
  if (other && given && given.may === session.may) {
    await show(args, path.dirname(file), { port: other.port, pid: other.pid, code: given.code, session });
    return { exit: EXIT.ok };
  }
  return serve(args, session, file, port ?? 0, idleMs);
}

async function serve(args: Arguments, session: Session, file: string, port: number, idleMs: number): Promise<CommandResult> {
  yieldToAgents();
  const keeping = await openKeeping(args);
  const close = async (): Promise<void> => void (await keeping.close(TELL_MS));
  try {
    const store = await keeping.store();
    const views = await openViewsOf(args, store);
    try {
      const [{ startUi }, { loadAssets }, { uiParts }] = await Promise.all([
        import('../../ui/server.ts'),
        import('../../ui/assets.ts'),
        import('./ui-parts.ts'),
      ]);
      const running = { pid: process.pid, secret: randomBytes(32).toString('hex'), version: packageVersion() };
      const ui = await startUi({
        parts: { ...uiParts(args, keeping, store, views), onCaughtUp: leaveCodeAsItIs },
        assets: loadAssets(path.join(packageFolder() ?? '', 'dist', 'web')),
        ...{ port, idleMs, secret: running.secret },
        welcome: (request) => sessionOfPeer(args, request),
      }).catch((error: unknown) => {
        throw portTaken(error, port) ?? error;
      });
      publish(file, { ...running, port: ui.port });
      try {
        await show(args, path.dirname(file), { port: ui.port, pid: process.pid, code: ui.issue(session), session });
        return await stopped(args, ui);
      } finally {
        withdraw(file, { ...running, port: ui.port });
      }
    } finally {
      await views.close();
    }
  } finally {
    await close();
  }
}

async function stopped(args: Arguments, ui: RunningUi): Promise<CommandResult> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void ui.stop(`it got ${signal}`));
  endWithStarter(ui);
  const why = await ui.stopped;
  return { exit: EXIT.ok, ...(!hasFlag(args, 'json') && why !== GONE && { out: `The dashboard stopped: ${why}.\n` }) };
}

const GONE = 'the program that started it is gone';

/** A program that started the dashboard with a channel learns that it listens, and the dashboard ends with that program, however it ends. */
function endWithStarter(ui: RunningUi): void {
  if (!process.send) return;
  const gone = (): void => void ui.stop(GONE);
  if (!process.connected) gone();
  process.once('disconnect', gone);
  // It may be gone at this moment. The channel then says so.
  process.send('listening', undefined, undefined, () => {});
  void ui.stopped.then(() => process.channel?.unref());
}

interface Shown {
  readonly port: number;
  readonly pid: number;
  readonly code: string;
  readonly session: Session;
}

/** Prints the link, and opens it for a person at a desktop. */
async function show(args: Arguments, folder: string, { port, pid, code, session }: Shown): Promise<void> {
  const { may, because, actor } = session;
  const address = `http://127.0.0.1:${port}/#code=${code}`;
  const [{ fitted, terminalStyle }, { block }] = await Promise.all([import('../print/style.ts'), import('../print/text.ts')]);
  const style = terminalStyle();
  const notes = [
    `Works once, for a minute: \`hookline ui\` prints another.${pid === process.pid ? ` Ctrl-C stops it, or ${idleText(args)} without a page.` : ''}`,
    // The page says all of it. Here one piece of the evidence is enough, unless a person is refused for another reason.
    ...(because === null ? [] : [`Its page can only look. ${actor.finding === 'person' ? because : actor.evidence[0]}`]),
  ];
  const text = `${style.bold('Dashboard:')} ${address}\n${notes.map((note) => `${block(note, '  ', style.columns)}\n`).join('')}`;
  await write(1, hasFlag(args, 'json') ? jsonDocument({ url: address, port, pid, may, because }) : fitted(text));
  const opens = actor.finding === 'person' && !hasFlag(args, 'no-open') && !hasFlag(args, 'json');
  if (!opens) return;
  const { hasDesktop, openBrowser } = await import('./open-browser.ts');
  if (!hasDesktop(process.env)) return;
  const forget = openBrowser(folder, address);
  process.once('exit', forget);
  if (pid === process.pid) setTimeout(forget, OPENED_MS).unref();
  else await new Promise((resolve) => setTimeout(resolve, BROWSER_MS));
}

/** A browser that starts needs some time to read the file. */
const BROWSER_MS = 5000;

function idleText(args: Arguments): string {
  return optionValue(args, 'idle') ?? DEFAULT_IDLE;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
const LONGEST_IDLE_MS = 24 * 3_600_000;

function readIdle(args: Arguments): number {
  const written = idleText(args);
  const [, number, unit = ''] = /^(\d{1,6})([smh])$/.exec(written) ?? [];
  const ms = Number(number) * (UNIT_MS[unit] ?? Number.NaN);
  if (ms > 0 && ms <= LONGEST_IDLE_MS) return ms;
  throw usageError(`\`--idle\` must be a time up to a day, not \`${written}\`.`, 'Write `--idle 30m` (s, m, h).');
}

function readPort(args: Arguments): number | undefined {
  const written = optionValue(args, 'port');
  if (written === undefined) return undefined;
  if (/^\d{1,5}$/.test(written) && Number(written) <= 65_535) return Number(written);
  throw usageError(`\`--port\` must be a whole number up to 65535, not \`${written}\`.`, 'Write `--port 4700`.');
}

function portTaken(error: unknown, port: number): Error | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  return usageError(`Port ${port} is not available (${code}).`, 'Another program listens there. Name another port with `--port`.');
}

/** The specification of `hookline ui`. */
export const uiSpec: CommandSpec = {
  name: 'ui',
  summary: 'Look at what agents do: a dashboard in the browser, on this machine alone.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [
    { name: 'port', value: 'N', help: 'Port on 127.0.0.1. Default: any free port.' },
    { name: 'no-open', help: 'Print the link only. Default: open it too, at a desktop.' },
    { name: 'idle', value: 'TIME', help: 'Stop when no page was open for this long: 90s, 30m, 2h. Default: 30m.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'The link works once and for a minute. If the dashboard of this store is running, the command prints another link to it.',
    'A page can settle actions only if its link was printed to a terminal of a person, as for `hookline approvals`. Otherwise it can only look, and says why.',
  ],
  examples: [
    { does: 'Open the dashboard', line: 'hookline ui' },
    { does: 'On a fixed port, without a browser', line: 'hookline ui --port 4700 --no-open' },
  ],
};
