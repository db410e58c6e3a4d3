/** The contract of a handler, as tests: it returns a reply or a fault, in time, and leaves nothing running. */
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS, type Handler } from '../../core/contracts/handler.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { NOT_NESTED } from '../../core/contracts/nesting.ts';
import type { Fault, Reply } from '../../core/decision/reply.ts';
import type { Ask } from '../../core/meaning/profile.ts';
import type { Suite } from './suite.ts';

/** Builds a call as the engine does, for a hook that is given in part. */
export function sampleCall(
  type: string,
  part: Partial<Hook>,
  { ask = ASK, cwd = '/' }: { readonly ask?: Ask; readonly cwd?: string },
): Call {
  const hook: Hook = {
    id: 'sample',
    name: 'sample',
    dialect: 'sample',
    event: 'sample',
    when: [],
    handler: { type, config: {} },
    timeoutMs: 120_000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'sample', scope: 'project' },
    ...part,
  };
  return {
    hook,
    payload: { tool: 'Bash', input: { command: 'ls' } },
    ask,
    cwd,
    timeoutMs: hook.timeoutMs,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
  };
}

const ASK: Ask = {
  timeout: { unit: 'ms', fallbackMs: 5000 },
  command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
  http: { redirects: 0 },
  judge: { answers: ['ok'], also: [] },
};

/** The parts of a hook that its handler reads. */
export type HookPart = Partial<Pick<Hook, 'handler' | 'run' | 'env'>>;

export interface HandlerScenes {
  /** Answers at once. */
  readonly answers: HookPart;
  /** Never answers. Required unless `HandlerOptions.skip` gives a reason. */
  readonly hangs?: HookPart;
  /** Answers with more than 64 KiB. Required unless `HandlerOptions.skip` gives a reason. */
  readonly floods?: HookPart;
  /** Hooks that cannot be run, each for a different reason. */
  readonly broken: readonly HookPart[];
  /** Returns the names of processes and connections that the scenes left running. It must return none. */
  readonly left?: () => readonly string[] | Promise<readonly string[]>;
}

export interface HandlerOptions {
  /** How the dialect runs its hooks, if that matters to the handler. */
  readonly ask?: Ask;
  readonly cwd?: string;
  /** Scenes that do not apply to this handler, each with the reason. Their tests are reported as skipped. */
  readonly skip?: Partial<Readonly<Record<OptionalScene, string>>>;
}

type OptionalScene = 'hangs' | 'floods';

export function describeHandler(
  suite: Suite,
  makeHandler: () => Handler,
  scenes: () => HandlerScenes | Promise<HandlerScenes>,
  options: HandlerOptions = {},
): void {
  const handler = makeHandler();
  let prepared: Promise<HandlerScenes> | undefined;
  const allScenes = (): Promise<HandlerScenes> => {
    prepared ??= Promise.resolve(scenes());
    return prepared;
  };
  const stage: Stage = {
    scenes: allScenes,
    testScene(scene, name, body) {
      const reason = options.skip?.[scene];
      if (reason !== undefined) {
        suite.test.skip(`${name} (${reason})`, () => undefined);
        return;
      }
      suite.test(name, async () => {
        const { [scene]: part, left } = await allScenes();
        if (part === undefined) throw new Error(`The scene \`${scene}\` is missing. Add it, or give the reason in \`skip\`.`);
        await body(part, left);
      });
    },
    // `async` turns a throw into a rejection. A handler may do neither.
    ask: async (part, more = {}) => handler.handle({ ...sampleCall(handler.type, part, options), ...more }),
  };
  suite.describe(`handler ${handler.type}`, () => {
    answerLaws(suite, stage);
    patienceLaws(suite, stage);
  });
}

interface Stage {
  scenes(): Promise<HandlerScenes>;
  /** Defines a test on one scene, or reports it as skipped if the scene does not apply. */
  testScene(scene: OptionalScene, name: string, body: (part: HookPart, left: HandlerScenes['left']) => Promise<void>): void;
  ask(part: HookPart, more?: Partial<Call>): Promise<Reply | Fault>;
}

function answerLaws({ test, expect }: Suite, { scenes, testScene, ask }: Stage): void {
  test('a hook that answers is returned as a reply, and nothing is decided', async () => {
    const answer = await ask((await scenes()).answers);
    expect(['process', 'http', 'value', 'verdict'].includes(answer.kind)).toBe(true);
    expect(Object.hasOwn(answer, 'decision')).toBe(false);
  });

  testScene('floods', 'output beyond the limit is cut, and the reply says so', async (floods) => {
    const answer = await ask(floods, { limits: { ...DEFAULT_LIMITS, outputBytes: 1000 } });
    expect(sizeOf(answer) > 0 && sizeOf(answer) <= 1000).toBe(true);
    expect(isCut(answer)).toBe(true);
  });

  test('a hook that cannot be run is a fault with a reason, never a throw', async () => {
    const answers = await Promise.all((await scenes()).broken.map((part) => ask(part)));
    expect(answers.filter((answer) => answer.kind !== 'fault' || answer.detail === '')).toEqual([]);
  });

  test('a settled call leaves no process, socket or pipe', async () => {
    const { answers, left } = await scenes();
    await ask(answers);
    const before = await atRest();
    for (let i = 0; i < 5; i++) await ask(answers);
    expect(await leftovers(before, left)).toEqual([]);
  });
}

function patienceLaws({ expect }: Suite, { testScene, ask }: Stage): void {
  testScene('hangs', 'a hook that does not answer in time is fault `timeout`, and leaves nothing behind', async (hangs, left) => {
    const before = await atRest();
    expect(kindOf(await ask(hangs, { timeoutMs: 200 }))).toBe('timeout');
    expect(await leftovers(before, left)).toEqual([]);
  });

  testScene('hangs', 'a caller that gives up is answered with fault `cancelled`, and nothing is left behind', async (hangs, left) => {
    const before = await atRest();
    const caller = new AbortController();
    const answer = ask(hangs, { timeoutMs: 60_000, signal: caller.signal });
    setTimeout(() => caller.abort(), 100);
    expect(kindOf(await answer)).toBe('cancelled');
    expect(await leftovers(before, left)).toEqual([]);
  });

  testScene('hangs', 'a caller that gave up before is answered with fault `cancelled` at once', async (hangs) => {
    expect(kindOf(await ask(hangs, { timeoutMs: 60_000, signal: AbortSignal.abort() }))).toBe('cancelled');
  });
}

function kindOf(answer: Reply | Fault): string {
  return answer.kind === 'fault' ? answer.fault : answer.kind;
}

function sizeOf(answer: Reply | Fault): number {
  if (answer.kind === 'process') return answer.stdout.length;
  return answer.kind === 'http' ? answer.body.length : 0;
}

function isCut(answer: Reply | Fault): boolean {
  if (answer.kind === 'process') return answer.cut?.includes('stdout') === true;
  return answer.kind === 'http' && answer.cut === true;
}

/** The number of processes, sockets and pipes that keep this process alive, by name. */
type Resources = ReadonlyMap<string, number>;

function resources(): Resources {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (/Process|TCP|Pipe|TLS/.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns the lowest count over a short time, because the far end of a connection closes a little later than this one. */
async function atRest(): Promise<Resources> {
  let least = resources();
  for (let look = 0; look < 5; look++) {
    await pause(20);
    const now = resources();
    least = new Map([...least].map(([name, count]) => [name, Math.min(count, now.get(name) ?? 0)]));
  }
  return least;
}

/** Returns leftovers, and looks again for a while first: a killed process disappears only when the system has reaped it. */
async function leftovers(before: Resources, left: HandlerScenes['left']): Promise<readonly string[]> {
  let found: readonly string[] = [];
  for (const until = performance.now() + 60_000; performance.now() < until; await pause(20)) {
    const more = [...resources()].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
    found = [...more, ...((await left?.()) ?? [])];
    if (found.length === 0) return found;
  }
  return found;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
