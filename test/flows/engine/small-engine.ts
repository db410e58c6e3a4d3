/** An engine of small real parts: dialects whose functions answer in verdicts, the real index, the real clock. */
import { createHash } from 'node:crypto';
import { createClock, createIds } from '../../../src/api/clock.ts';
import type { Dialect } from '../../../src/core/contracts/dialect.ts';
import { DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../src/core/contracts/handler.ts';
import type { Condition, Hook } from '../../../src/core/contracts/hook.ts';
import { NOT_NESTED } from '../../../src/core/contracts/nesting.ts';
import type { Grant, Verdict } from '../../../src/core/decision/decision.ts';
import type { Outcome } from '../../../src/core/decision/outcome.ts';
import type { EventKind, HookEvent } from '../../../src/core/event/event.ts';
import type { EventRule, Profile } from '../../../src/core/meaning/profile.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { createBackground } from '../../../src/engine/ask/background.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import { ADMITTED, type EngineSettings, type FireOptions, type Ports } from '../../../src/engine/ports.ts';
import type { Recorder } from '../../../src/engine/record/recorder.ts';
import { functionHandler } from '../../../src/handlers/function.ts';
import { createMemoryStore } from '../../../src/stores/memory.ts';

const EVERYTHING: readonly Grant[] = [
  'allow',
  'ask',
  'hold',
  'deny',
  'rewrite',
  'context',
  'notice',
  'replace',
  'continue',
  'halt',
  'quiet',
];

/** `gate` can do everything before a tool runs; `watch` and `together` only observe what came of it. */
export function smallDialect(id: string, run: Partial<Profile['run']> = {}): Dialect {
  const rule = (kind: EventKind, more: Partial<EventRule> = {}): EventRule => ({
    kinds: [kind],
    run: 'sequence',
    grants: EVERYTHING,
    facet: 'tool',
    ...more,
  });
  return {
    id,
    title: id,
    scaffold: null,
    profile: {
      events: {
        gate: rule('tool.before'),
        together: rule('tool.error', { run: 'parallel' }),
        watch: rule('tool.after', { grants: ['notice'] }),
        later: rule('heartbeat', { run: 'detach', grants: [] }),
      },
      load: { unknownEvent: 'error', maxHooks: null, auditFolder: false },
      match: { anchor: 'search', missingFacet: 'fails' },
      run: { order: 'priority', stopOn: ['deny', 'hold'], inputs: 'piped', ...run },
      ask: {
        timeout: { unit: 'ms', fallbackMs: 5000 },
        command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
        http: { redirects: 0 },
        judge: null,
      },
      read: { exit: [], status: [] },
      fail: { otherwise: 'pass' },
      rewrite: 'replaces',
      fold: { contextStart: 'all', contextEnd: 'each' },
    },
    wire: {
      eventKey: null,
      encodeEvent: ({ data }) => data,
      decodeEvent: (_, data) => ({ kind: 'tool.before', data }),
      decodeReply: () => 'not used',
      decodeValue: (value) => (value as Verdict | undefined) ?? { decision: { kind: 'pass' }, effects: [] },
      encodeReply: () => undefined,
    },
    aliases: {},
    loader: async () => () => ({ hooks: [], diagnostics: [] }),
  };
}

export type Say = (payload: JsonObject, context: { readonly signal: AbortSignal }) => Verdict | undefined | Promise<Verdict | undefined>;

/** A hook named `dialect/name`; its function answers in a verdict, or with nothing. */
export function hook(name: string, run: Say, more: Partial<Hook> = {}): Hook {
  const [dialect = 'a'] = name.split('/');
  return {
    id: name,
    name,
    dialect,
    event: 'gate',
    when: [],
    handler: { type: 'function', config: {} },
    timeoutMs: 5000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '(test)', scope: 'project' },
    run,
    ...more,
  };
}

/** With `fire`: judge, then record. */
export interface SmallEngine extends Engine {
  fire(event: HookEvent, options?: FireOptions): Promise<Outcome>;
}

export function smallEngine(
  hooks: readonly Hook[],
  more: {
    readonly dialects?: readonly Dialect[];
    readonly settings?: Partial<EngineSettings>;
    readonly ports?: Partial<Ports>;
    readonly recorder?: Recorder;
  } = {},
): SmallEngine {
  const clock = createClock();
  const store = createMemoryStore();
  const engine = createEngine(
    {
      dialects: more.dialects ?? [smallDialect('a'), smallDialect('b'), smallDialect('c')],
      handlers: new Map([['function', functionHandler]]),
      clock,
      newId: createIds(),
      hash: (text) => createHash('sha256').update(text).digest('hex'),
      ancestorMark: (id) => createHash('sha256').update(id).digest('hex').slice(0, 16),
      admit: () => ADMITTED,
      background: createBackground(clock),
      store: async () => store,
      notify: () => {},
      ...more.ports,
    },
    {
      root: '/project',
      strict: false,
      limits: DEFAULT_LIMITS,
      permits: DEFAULT_PERMITS,
      nesting: NOT_NESTED,
      markContext: false,
      stopCap: 8,
      denials: 'remember',
      ticketLifeMs: 60_000,
      canSettle: true,
      shadow: false,
      ...more.settings,
    },
    more.recorder,
  );
  engine.use(hooks);
  return { ...engine, fire: async (event, options) => engine.record(event, await engine.judge(event, options)) };
}

export function event(kind: EventKind, data: JsonObject = { tool: 'Bash', input: { command: 'ls' } }): HookEvent {
  return { id: 'e1', kind, at: '2025-01-01T00:00:00.000Z', session: { id: 's1', cwd: '/' }, data };
}

export const deny = (reason = 'no'): Verdict => ({ decision: { kind: 'deny', reason }, effects: [] });
export const hold = (reason = 'wait'): Verdict => ({ decision: { kind: 'hold', reason }, effects: [] });
export const ask = (reason = 'sure?'): Verdict => ({ decision: { kind: 'ask', reason }, effects: [] });
export const allow = (): Verdict => ({ decision: { kind: 'allow' }, effects: [] });
export const rewrite = (command: string): Verdict => ({
  decision: { kind: 'pass' },
  effects: [{ kind: 'rewrite', value: { command } }],
});

export function inputMatching(source: string): readonly Condition[] {
  return [{ facet: 'input', test: { kind: 'pattern', source, anchor: 'search' }, missing: 'fails' }];
}

/** Functions that note that they were called, in order. */
export function callLog(): { readonly calls: string[]; readonly says: (name: string, verdict?: Verdict) => Say } {
  const calls: string[] = [];
  return {
    calls,
    says: (name, verdict) => (payload) => {
      const input = payload['input'] as { command?: string } | undefined;
      calls.push(`${name} ${input?.command ?? ''}`.trim());
      return verdict;
    },
  };
}
