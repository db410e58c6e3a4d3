/** The program of a worker for modules: it loads hooks, runs one event after the other, and reports the answer or the error of each. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Json, JsonObject } from '../core/values/json.ts';
import type { RunMessage } from '../handlers/worker/protocol.ts';
import { type Channel, openChannel } from './channel.ts';
import { addModules, loadModule } from './load-module.ts';
import { shownEvent } from './shown-event.ts';

/** The event that code belongs to, also in timers and promises that a hook leaves behind. */
const owner = new AsyncLocalStorage<number>();
let current: number | undefined;
let isSpent = false;
let fail: (error: unknown) => void = () => {};

openChannel((message, channel) => {
  // The event is given to another worker.
  if (isSpent) return;
  const { run } = message;
  current = run;
  const settle = (result: { readonly answer: Json } | { readonly error: string }): void => {
    if (current !== run) return;
    current = undefined;
    channel.send({ run, ...result, ...memory() });
    if (isSpent) leave();
  };
  fail = (error) => settle(described(error));
  owner.run(run, () => answerOf(message, channel)).then((answer) => settle({ answer }), fail);
});

/**
 * An error that no code of a hook catches. It is a fault of the event that it belongs to. If that event has its answer already, the error is only
 * printed, and an event of another hook is not disturbed. The state of the process is unknown then, so it ends as soon as no event needs it.
 */
process.on('uncaughtException', (error: unknown) => {
  isSpent = true;
  if (current !== undefined && (owner.getStore() ?? current) === current) fail(error);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (current === undefined) leave();
});

/** With exit code 0, which says that no event was lost. */
function leave(): void {
  setImmediate(() => process.exit(0));
}

/** To look takes as long as a short hook, so it is done rarely. */
const LOOK_EVERY = 64;
let answered = 0;

function memory(): { readonly memory?: number } {
  answered += 1;
  return answered % LOOK_EVERY === 0 ? { memory: process.memoryUsage.rss() } : {};
}

async function answerOf(message: RunMessage, channel: Channel): Promise<Json> {
  const { run, file, modules, variables } = message;
  if (modules) addModules(modules);
  setVariables(variables);
  const { default: hook } = await loadModule(file);
  if (!isRunnable(hook)) throw new TypeError('The default export of the file has no `run`.');
  return checked(await hook.run(shownEvent(message, (question: JsonObject) => channel.ask(run, question))));
}

/** Most events have the same ones, and the environment of a process is slower to write than to read. */
function setVariables(variables: RunMessage['variables']): void {
  for (const [name, value] of Object.entries(variables)) if (process.env[name] !== value) process.env[name] = value;
}

function isRunnable(hook: unknown): hook is { run(event: object): unknown } {
  return typeof hook === 'object' && hook !== null && 'run' in hook && typeof hook.run === 'function';
}

/** An error or a map would be written as `{}`, which means no opinion. So only plain values are sent. */
function checked(value: unknown): Json {
  if (value === undefined || value === null) return null;
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  const isPlain =
    typeof value === 'object'
      ? prototype === null || Array.isArray(value) || isPlainPrototype(prototype)
      : JSON.stringify(value) !== undefined;
  if (!isPlain)
    throw new TypeError(
      `A hook returns an answer or nothing, and this one returned ${typeof value === 'object' ? `an instance of ${value.constructor.name}` : `a ${typeof value}`}.`,
    );
  return value as Json;
}

/** A module in another realm has an `Object` of its own. */
function isPlainPrototype(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null;
}

function described(error: unknown): { readonly error: string; readonly stack?: string } {
  if (!(error instanceof Error)) return { error: `It threw ${String(error)}` };
  // The first line of the stack in the hook's own files is the place to look at.
  const [own] = placesIn(new Error());
  const place = placesIn(error).find((one) => fileOf(one) !== fileOf(own));
  return { error: error.message || error.name, ...(place !== undefined && { stack: place }) };
}

/** Returns the lines of a stack that are in a file, as `file:line:column`. */
function placesIn({ stack = '' }: Error): readonly string[] {
  return [...stack.matchAll(/\n\s+at (?:.*\(|async )?((?:\/|[A-Z]:).*?:\d+:\d+)\)?/g)].map(([, place]) => place as string);
}

function fileOf(place: string | undefined): string | undefined {
  return place?.replace(/:\d+:\d+$/, '');
}
