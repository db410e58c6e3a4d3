/**
 * `hookline hook`: the hook command of an agent. It prints nothing except the answer. On any failure it denies the event if it can be
 * denied.
 */
import { existsSync } from 'node:fs';
import { openHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import { createHostAnswerer, denyHost, type FiringEngine, type HostAnswer, passHost } from '../../engine/answer-host.ts';
import { resolveHome } from '../../load/find/home.ts';
import { projectRoot } from '../../load/find/project-root.ts';
import { openMemory } from '../../load/memory.ts';
import { noteLookups } from '../../load/remembered/lookups.ts';
import { createAskers } from '../../people/askers.ts';
import { variableOf } from '../../stores/open-store.ts';
import { type Arguments, hasFlag, optionValue, type UsageProblem, usageError } from '../arguments.ts';
import type { CommandResult } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { isTyped } from '../input/payload.ts';
import { projectVariablesOf } from '../input/started-by.ts';
import { collectDetached } from './background.ts';
import { hookSpec } from './hook-spec.ts';
import { entryOf, installedFolders, readCall } from './host-call.ts';
import { type Judged, rememberIfQuiet } from './remember-silence.ts';

export { hookSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [host = '', event] = args.positionals;
  if (await isTyped())
    throw usageError('`hookline hook` is run by an agent, with the event on stdin.', 'To try it, pipe an event into it.');
  endWithCaller();
  const text = await readCall();
  const folders = await installedFolders(optionValue(args, 'installed'));
  const detached = collectDetached();
  const ownHooks = hasFlag(args, 'own-hooks');
  const lookups = noteLookups();
  const judged: Judged[] = [];
  const projectVariables = projectVariablesOf(host);
  const options = engineOptions(args, projectRoot(process.cwd(), process.env, projectVariables));
  const { engine, answerContext, isQuiet, openStoreAhead, leave } = await openHookline(
    { ...options, background: { run: detached.background } },
    folders,
  );
  const places = resolveHome({ home: options.home }, folders);
  createAskers(places.stateFolder)(process.ppid);
  const judge: FiringEngine['judge'] = (one, how) => {
    judged.push({ event: one, skipDialects: how.skipDialects ?? [] });
    const judging = engine.judge(one, how);
    // A hook works elsewhere, and this process would wait for it.
    if (judging instanceof Promise) setImmediate(openStoreAhead);
    return judging;
  };
  const answer = createHostAnswerer({ ...engine, judge }, { ownHooks, ...answerContext });
  const given = answerOf(await answer(host, text, event, process.env, undefined, { process: process.ppid }));
  return {
    ...given,
    isLast: true,
    after: async () => {
      await detached.handOver({ options, ...(folders !== process.env && { folders }) });
      await leave(TELL_MS);
      if (!isSilent(given) || lookups.isUnsettled) return;
      const variables = [...projectVariables, variableOf(options.store ?? '')].filter((name) => name !== undefined);
      rememberIfQuiet(openMemory(places.stateFolder, options.policy), {
        ...{ host, text, asked: event, events: judged, isQuiet, variables, lookups },
        entry: entryOf(process.argv.slice(3), places),
      });
    },
  };
}

/** Denies in the agent's format if there is no answer, with the event as far as it was read. */
export async function failed(args: Arguments, error: unknown): Promise<CommandResult | undefined> {
  if (await isTyped()) return undefined;
  const [host = '', event] = args.positionals;
  const { message, hint } = problemOf(error);
  const record = optionValue(args, 'installed');
  return denied(host, event, hint === undefined ? message : `${message} ${hint}`, record);
}

/** An invalid entry in the agent's settings is not consent either. */
export async function misused(argv: readonly string[], { message, hint }: UsageProblem): Promise<CommandResult | undefined> {
  if (await isTyped()) return undefined;
  const [host = ''] = argv.filter((word) => !word.startsWith('-'));
  return denied(host, undefined, `${message} ${hint}`);
}

function answerOf({ stdout, stderr, exit }: HostAnswer): CommandResult {
  return { exit, out: stdout, err: stderr, verbatim: true, answers: true };
}

function isSilent({ exit, out, err }: CommandResult): boolean {
  return exit === 0 && out === '' && err === '';
}

/** How long the command keeps running after its answer to notify people of a held action. */
const TELL_MS = 5_000;

/** The shell client starts this command, and a killed shell cannot pass the signal on. Without a caller, no program reads the answer. */
function endWithCaller(): void {
  const caller = process.ppid;
  setInterval(() => process.ppid !== caller && process.kill(process.pid, 'SIGHUP'), CALLER_MS).unref();
}

const CALLER_MS = 200;

async function denied(host: string, event: string | undefined, why: string, record?: string): Promise<CommandResult> {
  const text = await readCall().catch(() => '');
  const pause = await currentPause(record);
  if (pause !== undefined) return answerOf(passHost(host, text, event, process.env, `${pause} ${why}`, HOSTS));
  const reason = why.startsWith('Hookline') ? why : `Hookline could not run the hooks: ${why}`;
  return answerOf(denyHost(host, text, event, process.env, reason, HOSTS));
}

/** Only a pause opens an agent that a failure of Hookline has locked. On a machine with a policy it does not. */
async function currentPause(record: string | undefined): Promise<string | undefined> {
  const { pauseDiagnostic, readPause } = await import('../../stores/pause.ts');
  const { systemPolicyFile } = await import('../../load/settings/policy-file.ts');
  const folders = await installedFolders(record).catch(() => undefined);
  const pause = folders && readPause(resolveHome({}, folders).stateFolder, Date.now());
  return pause && !existsSync(systemPolicyFile()) ? pauseDiagnostic(pause).message : undefined;
}
