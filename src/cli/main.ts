/**
 * The entry point of the command line. It loads only the requested command, because it may start on every tool call. The exit code is
 * "internal error" until there is a result, so that an unexpected exit never looks like consent.
 */
import { suggest } from '../core/values/suggest.ts';
import { encodeFrame } from '../server/frame.ts';
import { ownWords, parseArguments, usageError, wantsJson } from './arguments.ts';
import { type CommandModule, type CommandResult, EXIT } from './command.ts';
import { write } from './output.ts';

const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  fire: () => import('./run/fire.ts'),
  hook: () => import('./run/hook.ts'),
  plan: () => import('./run/plan.ts'),
  list: () => import('./hooks/list.ts'),
  reload: () => import('./hooks/reload.ts'),
  schema: () => import('./hooks/schema.ts'),
  check: () => import('./hooks/check.ts'),
  audit: () => import('./hooks/audit.ts'),
  trust: () => import('./hooks/trust.ts'),
  init: () => import('./init/init.ts'),
  new: () => import('./hooks/new.ts'),
  test: () => import('./test/test.ts'),
  guard: () => import('./guard/guard.ts'),
  approvals: () => import('./decisions/approvals.ts'),
  log: () => import('./decisions/log.ts'),
  why: () => import('./decisions/why.ts'),
  top: () => import('./views/top/top.ts'),
  stats: () => import('./views/stats.ts'),
  report: () => import('./views/report.ts'),
  ui: () => import('./ui/ui.ts'),
  install: () => import('./install/install.ts'),
  uninstall: () => import('./install/uninstall.ts'),
  doctor: () => import('./doctor/doctor.ts'),
  pause: () => import('./decisions/pause.ts'),
  serve: () => import('./serve/serve.ts'),
  agent: () => import('./agent/agent.ts'),
  mcp: () => import('./mcp/mcp.ts'),
};

/** Commands that read much code once and end. The others answer at once, or run for long. */
const READS_ONCE: ReadonlySet<string | undefined> = new Set(['audit', 'check', 'trust', 'doctor']);

/** Called by `bin/hookline.js`; importing this module starts nothing, because other chunks of the program import from it. */
export async function main([name, ...argv]: readonly string[]): Promise<void> {
  process.exitCode = EXIT.bug;
  endBySignals();
  // V8 optimises a function after so much work in it. Doing so early costs such a command more than it saves before the command ends. Later
  // versions of V8 do not have this flag, and print an error.
  if (READS_ONCE.has(name) && process.versions.v8.startsWith('11.'))
    process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=2000000');
  if (name === '__supervise') {
    const { supervise } = await import('./run/supervise.ts');
    await supervise();
    process.exitCode = EXIT.ok;
    return;
  }
  const failing: Failing = { answer: (error) => failed(error, wantsJson(argv)) };
  // Handles an uncaught exception and an unexpected exit like every other internal failure.
  process.once(
    'uncaughtException',
    (error) =>
      void failing
        .answer(error)
        .then(finish)
        .finally(() => process.exit()),
  );
  process.once('beforeExit', () => void (done || failing.answer(new Error('it ended without an answer')).then(finish)));
  const result = await answerTo(name, argv, failing).catch((error: unknown) => failing.answer(error));
  await finish(result.verbatim || wantsJson(argv) ? result : await readable(result));
}

/**
 * Ends the hooks with the command: a signal becomes an exit, whose listeners end them, and the process then ends by that signal. A command
 * that listens to the signal itself, as `serve` does, decides what it means.
 */
function endBySignals(): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      if (process.listenerCount(signal) > 0) return;
      process.once('exit', () => process.kill(process.pid, signal));
      process.exit();
    });
  }
}

/** How a failure is handled: by the command's own rule once the command is loaded. */
interface Failing {
  answer: (error: unknown) => Promise<CommandResult>;
}

let done = false;

async function finish(result: CommandResult): Promise<void> {
  if (done) return;
  done = true;
  const { exit, out = '', err = '', after, isLast } = result.answers ? framed(result) : result;
  if (out !== '') await write(1, out);
  if (err !== '') await write(2, err);
  process.exitCode = exit;
  await after?.();
  if (isLast) process.exit();
}

/** The shell client passes on nothing but a whole answer, so it gets one frame that ends in the proof that it chose. */
function framed(result: CommandResult): CommandResult {
  const { exit, out: stdout = '', err: stderr = '' } = result;
  const word = process.argv.find((one) => one.startsWith(PROOF));
  if (word === undefined) return result;
  return { ...result, exit: EXIT.ok, out: encodeFrame({ stdout, stderr, exit }, word.slice(PROOF.length)), err: '' };
}

const PROOF = '--proof=';

/** Only for people: what a program reads stays as it is. */
async function readable(result: CommandResult): Promise<CommandResult> {
  const { fitted } = await import('./print/style.ts');
  const { out, err } = result;
  return { ...result, ...(out !== undefined && { out: fitted(out) }), ...(err !== undefined && { err: fitted(err) }) };
}

async function answerTo(name: string | undefined, argv: readonly string[], failing: Failing): Promise<CommandResult> {
  if (name === undefined || name === 'help' || isHelp(name))
    return showHelp(name === 'help' ? argv.find((word) => !word.startsWith('-')) : undefined);
  if (name === 'version' || name === '--version') return (await import('./version.ts')).version(wantsJson(argv));
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw unknownCommand(name);
  if (ownWords(argv).some(isHelp)) return showHelp(name);
  if (name === 'hook') {
    const quiet = await (await import('./run/quiet-call.ts')).answerQuietly(argv);
    if (quiet) return quiet;
  }
  const command = await load();
  const args = parseArguments(argv, command.spec);
  if ('message' in args) {
    const own = await command.misused?.(argv, args);
    if (own) return own;
    throw usageError(args.message, args.hint);
  }
  const { failed: ownRule } = command;
  if (ownRule) failing.answer = async (error) => (await ownRule(args, error)) ?? failed(error, wantsJson(argv));
  return command.run(args);
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

async function showHelp(name: string | undefined): Promise<CommandResult> {
  return (await import('./help.ts')).help(name);
}

async function failed(error: unknown, json: boolean): Promise<CommandResult> {
  return (await import('./failure.ts')).failureAnswer(error, json);
}

function unknownCommand(name: string): Error {
  const near = suggest(name.replace(/^-+/, ''), [...Object.keys(COMMANDS), 'help', 'version']);
  const hint = near === undefined ? 'Run `hookline help` to see the commands.' : `Did you mean \`hookline ${near}\`?`;
  return usageError(`There is no command \`${name}\`.`, hint);
}
