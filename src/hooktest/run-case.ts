/** Runs one case: an engine of its own with the tested hooks alone, a state of its own, and the event of the case. */
import { openHookline } from '../api/create-hookline.ts';
import type { ListedHook } from '../api/hookline.ts';
import type { GroupedOptions } from '../api/options.ts';
import { DIALECTS, HOSTS } from '../builtins.ts';
import type { Dialect } from '../core/contracts/dialect.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import type { EventKind, HookEvent } from '../core/event/event.ts';
import type { EventPayloads } from '../core/event/payloads.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { HostAnswer } from '../engine/answer-host.ts';
import { dialectNamed } from '../engine/receive/events.ts';
import { type Answered, answerAs, eventOfHost, type HostEvent } from './as-host.ts';
import { compareAnswer, compareOutcome, type Mismatch } from './compare.ts';
import { changedFiles, endProcesses, type Inventory, takeInventory } from './leftovers.ts';
import { createScratch, type Scratch } from './scratch.ts';
import type { GivenEvent, TestCase } from './test-file.ts';

export interface CaseResult {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** The agent that the event came from; absent: none. */
  readonly host?: string;
  readonly passed: boolean;
  readonly ms: number;
  readonly mismatches: readonly Mismatch[];
  /** The event in canonical words. */
  readonly event?: Pick<HookEvent, 'kind' | 'data'>;
  /** Absent if no hook could be asked. */
  readonly outcome?: Outcome;
  readonly answer?: HostAnswer;
}

export interface CaseScene {
  readonly root: string;
  readonly engine: GroupedOptions;
  readonly hooks: readonly ListedHook[];
}

export async function runCase(test: TestCase, host: string | undefined, scene: CaseScene): Promise<CaseResult> {
  const named = { name: test.name, line: test.at.line, column: test.at.column, ...(host !== undefined && { host }) };
  const inactive = scene.hooks.filter(({ state }) => state !== 'active');
  if (inactive.length > 0) return { ...named, passed: false, ms: 0, mismatches: inactive.map(notActive) };
  const scratch = createScratch(
    test.files,
    scene.hooks.some(({ source }) => source.scope === 'user'),
  );
  const before = test.expect.isClean ? takeInventory(scene.root) : null;
  try {
    const ran = await fire(test, host, scene, scratch);
    const left = await leftovers(test, scene.root, scratch, before);
    if (typeof ran === 'string')
      return { ...named, passed: false, ms: 0, mismatches: [{ what: 'event', expected: 'an answer', got: ran }] };
    const mismatches = [
      ...compareOutcome(test.expect, ran.outcome, ran.ms),
      ...(host !== undefined && 'answer' in ran ? compareAnswer(host, test.expect, ran) : []),
      ...left,
    ];
    const { outcome, ms, event } = ran;
    const answer = 'answer' in ran ? { answer: ran.answer } : {};
    return { ...named, passed: mismatches.length === 0, ms, mismatches, event, outcome, ...answer };
  } finally {
    await endProcesses(scratch.base);
    scratch.remove();
  }
}

function notActive({ name, state, fix }: ListedHook): Mismatch {
  return { what: `hook \`${name}\``, expected: 'active', got: state, ...(fix !== undefined && { hint: fix }) };
}

type Ran = (Answered | { readonly outcome: Outcome; readonly ms: number }) & { readonly event: HookEvent };

async function fire(test: TestCase, hostId: string | undefined, scene: CaseScene, scratch: Scratch): Promise<Ran | string> {
  const ids = new Set(scene.hooks.map(({ id }) => id));
  // People are not told of an action that a test holds.
  const options = { ...scene.engine, root: scene.root, store: 'memory:', approvals: { notify: [] } };
  const opened = await openHookline(options, process.env, { stateFolder: scratch.state, keep: ({ id }) => ids.has(id) });
  const env = { ...scratch.env, ...test.env };
  const cwd = scratch.work ?? scene.root;
  try {
    const event = canonicalOf(test.event, cwd);
    if (hostId !== undefined) {
      const host = HOSTS.find(({ id }) => id === hostId) as Host;
      const sent = test.event.dialect === hostId ? nativeOf(test.event, event, host.dialect) : eventOfHost(host, event);
      if (!sent) return `${host.title} has no event for \`${event.kind}\`.`;
      const answered = await answerAs(opened, host, HOSTS, sent, event, { ...process.env, ...env });
      return typeof answered === 'string' ? answered : { ...answered, event };
    }
    const start = performance.now();
    const outcome = await fireDirectly(test.event, event, opened.hookline, { cwd, env });
    return { outcome, ms: performance.now() - start, event };
  } finally {
    await opened.hookline.close(CLOSE_MS);
  }
}

/** How long background hooks may run before they are ended. */
const CLOSE_MS = 10_000;

function fireDirectly(
  given: GivenEvent,
  event: HookEvent,
  hookline: Awaited<ReturnType<typeof openHookline>>['hookline'],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const context = { session: event.session.id, cwd, env };
  // A payload from a file is known only to be an object. Wires and facets accept that.
  if (given.dialect === undefined) return hookline.fire(event.kind, event.data as unknown as EventPayloads[EventKind], context);
  const { name, payload } = nativeOf(given, event, dialectNamed(given.dialect, DIALECTS));
  return hookline.fire({ dialect: given.dialect, event: name, payload }, context);
}

/** Returns the event in canonical words, whichever words the case has. */
function canonicalOf({ name, dialect, payload, isCanonical, session }: GivenEvent, cwd: string): HookEvent {
  const common = { id: 'hooktest', at: new Date().toISOString() };
  if (dialect === undefined) return { ...common, kind: name as EventKind, session: { id: session, cwd }, data: payload };
  const { wire, profile } = dialectNamed(dialect, DIALECTS);
  const [kind = name as EventKind] = profile.events[name]?.kinds ?? [];
  if (isCanonical) return { ...common, kind, session: { id: session, cwd }, data: payload };
  const decoded = wire.decodeEvent(name, payload);
  return { ...common, kind: decoded.kind, session: { id: decoded.session ?? session, cwd: decoded.cwd ?? cwd }, data: decoded.data };
}

/** Returns the event in the format of a dialect. Keys that the payload of a case leaves out are filled in. */
function nativeOf({ name, payload, isCanonical }: GivenEvent, event: HookEvent, { wire }: Dialect): HostEvent {
  const whole: JsonObject = wire.encodeEvent(event, name);
  return { name, payload: isCanonical ? whole : { ...whole, ...payload } };
}

async function leftovers(test: TestCase, root: string, scratch: Scratch, before: Inventory): Promise<readonly Mismatch[]> {
  if (!test.expect.isClean) return [];
  const left = await endProcesses(scratch.base);
  const after = takeInventory(root);
  const written = before && after ? changedFiles(before, after) : undefined;
  const inHome = [...(takeInventory(scratch.home)?.keys() ?? [])].map((file) => `~${file.slice(scratch.home.length)}`);
  const processes = left === null ? 'this system does not show the environment of processes' : left.length === 0 ? '' : left.join(', ');
  return [
    ...(processes === '' ? [] : [{ what: 'processes left', expected: 'none', got: processes }]),
    ...(written === undefined ? [{ what: 'files written', expected: 'none', got: 'the project has too many files to look at each' }] : []),
    ...([...(written ?? []), ...inHome].length === 0
      ? []
      : [{ what: 'files written', expected: 'none', got: [...(written ?? []), ...inHome].join('\n') }]),
  ];
}
