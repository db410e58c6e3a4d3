/** Hooks that are commands: a shell line or a script is run with the payload on stdin or in a variable; exit code and output come back. */

import type { Call, Handler } from '../../core/contracts/handler.ts';
import { tooDeep } from '../../core/contracts/nesting.ts';
import { type Fault, fault, isFault, type Reply } from '../../core/decision/reply.ts';
import type { Environment } from '../../core/values/environment.ts';
import { type CallLimits, cancelled } from '../kit/deadline.ts';
import { COMMAND } from '../kit/describe.ts';
import { encodePayload } from '../kit/payload.ts';
import { createHelper } from './helper.ts';
import { environmentOf, type Launch, type LaunchPlace, launchOf, notStarted } from './launch.ts';
import { createLauncher, PAYS_AFTER } from './launcher.ts';
import { longText } from './long-text.ts';
import { fitsEnvironment, hasLongString, jsonStyle } from './payload.ts';
import { type ProcessSpec, runProcess, type Starter } from './run-process.ts';
import { shareStarter } from './share-starter.ts';

export interface CommandOptions {
  /** Whether a helper starts the hook: `large` (default) if this process is so large that starting one itself would hold it up. */
  readonly helped?: 'large' | 'always' | 'never';
  readonly helper?: Starter;
  /** Starts hooks in a process that starts many. */
  readonly launcher?: Starter;
}

export function createCommandHandler({
  helped = 'large',
  helper = createHelper(),
  launcher = createLauncher(),
}: CommandOptions = {}): Handler {
  const wantsHelp = { large: isLargeProcess, always: () => true, never: () => false }[helped];
  const start: Start = (spec, patience) =>
    launcher.run(spec, patience) ?? (wantsHelp() ? helper.run(spec, patience) : undefined) ?? runProcess(spec, patience);
  return {
    ...COMMAND,
    handle(call) {
      if (call.signal?.aborted) return cancelled();
      const deep = tooDeep(call.nesting);
      if (deep) return deep;
      const place = placeOf(call);
      const launch = launchOf(call.hook.handler.config, call.ask.command.launch, place);
      if ('fault' in launch) return launch;
      const { input, json } = call.ask.command;
      const style = jsonStyle(json);
      const { payload } = call;
      const { payloadBytes } = call.limits;
      const run: Run = async (variables, stdin) => {
        const answer = await start(specOf(call, launch, variables, stdin), call);
        return isFault(answer) ? answer : (notStarted(answer, launch, place) ?? answer);
      };
      const long = input === 'stdin' && hasLongString(payload) ? longText(payload, style, payloadBytes) : undefined;
      if (long) return run({}, long);
      const text = encodePayload(payload, payloadBytes, (value) => style(JSON.stringify(value)));
      if (typeof text !== 'string') return text;
      return input === 'stdin' ? run({}, text) : runWithVariable(run, input.env, text);
    },
    close() {
      helper.close();
      launcher.close();
    },
  };
}

/** One for each engine. */
export function commandHandlerFor(): Handler {
  return createCommandHandler({ helper: onDemand(sharedHelper), launcher: onDemand(sharedLauncher, PAYS_AFTER) });
}

let shareOfHelper: (() => Starter) | undefined;
let shareOfLauncher: (() => Starter) | undefined;

function sharedHelper(): Starter {
  shareOfHelper ??= shareStarter(createHelper);
  return shareOfHelper();
}

function sharedLauncher(): Starter {
  shareOfLauncher ??= shareStarter(() => createLauncher({ after: 0 }));
  return shareOfLauncher();
}

/** Makes a starter when more hooks than these are to be started: most processes answer one event, and do without. */
function onDemand(make: () => Starter, after = 0): Starter {
  let made: Starter | undefined;
  let asked = 0;
  return {
    run(spec, patience) {
      if (asked++ < after) return undefined;
      made ??= make();
      return made.run(spec, patience);
    },
    close: () => made?.close(),
  };
}

function placeOf({ cwd, hook, variables, environment = process.env }: Call): LaunchPlace {
  return { cwd, variable: (name) => variables?.[name] ?? hook.env?.[name] ?? environment[name] };
}

type Start = (spec: ProcessSpec, patience: CallLimits) => Promise<Reply | Fault>;
type Run = (variables: Environment, stdin: ProcessSpec['stdin']) => Promise<Reply | Fault>;

function specOf(call: Call, launch: Launch, variables: Environment, stdin: ProcessSpec['stdin']): ProcessSpec {
  const { cwd, limits } = call;
  return { launch, cwd, env: environmentOf(call, variables), stdin, capture: call.ask.command.capture, outputBytes: limits.outputBytes };
}

/**
 * A payload that does not fit is left out whole, and the reply records that the hook has not seen it. Only a denial in the reply counts, and
 * no other failure may hide that.
 */
async function runWithVariable(run: Run, name: string, text: string): Promise<Reply | Fault> {
  if (fitsEnvironment(name, text)) {
    const answer = await run({ [name]: text }, undefined);
    if (!isFault(answer) || answer.fault !== 'oversize') return answer;
  }
  const detail = `the payload has ${Buffer.byteLength(text)} bytes and does not fit the environment variable ${name}`;
  const answer = await run({ [name]: undefined }, undefined);
  if (!isFault(answer)) return fault('oversize', detail, { reply: answer });
  return answer.fault === 'cancelled' ? answer : fault('oversize', `${detail}; run without it, it ${answer.detail}`);
}

/** Whether this process is so large that it had better not start others itself: that blocks it for longer the more memory it has. */
function isLargeProcess(): boolean {
  const now = performance.now();
  if (now - lookedAt >= LOOK_MS) {
    large = process.memoryUsage.rss() >= LARGE_BYTES;
    lookedAt = now;
  }
  return large;
}

/** Here a start blocks for some 15 ms; through the helper a hook takes about one more than it does in a small process. */
const LARGE_BYTES = 300 * 1024 * 1024;
/** Looking costs a little, and memory does not change that fast. */
const LOOK_MS = 1000;
let lookedAt = Number.NEGATIVE_INFINITY;
let large = false;
