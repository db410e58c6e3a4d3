/**
 * One run of an agent under test, as data: a job in, a report out. A job may be performed in any process and on any version of Node, so that
 * the laws about restarts are about real restarts.
 */
import type { HookAnswer } from '../../agents/hookline/index.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import type { Hookline } from '../hookline.ts';
import type { HooklineOptions } from '../options.ts';

export interface AdapterJob {
  /** A folder of its own, which exists. Jobs with the same folder share the project, the home and the store. */
  readonly folder: string;
  /** Default: `session-1`. */
  readonly session?: string;
  readonly hooks?: readonly JobHook[];
  /** The calls that the model makes in its first step. It ends with `answer` once it has their results. */
  readonly calls?: readonly JobCall[];
  /** The text with which the model ends. Default: `done`. */
  readonly answer?: string;
  /** The state of a run that was held. It continues, and its client says that every held call was approved. */
  readonly resume?: Json;
  /** The client reads a stream. */
  readonly stream?: boolean;
  /** The engine is closed before the run. */
  readonly closed?: boolean;
  /** How often the first model call fails before it succeeds. */
  readonly failures?: number;
  /** Settles open tickets instead of running an agent: those of these calls, or all. */
  readonly settle?: {
    readonly approve: boolean;
    readonly by: string;
    readonly note?: string;
    readonly input?: Json;
    readonly calls?: readonly string[];
  };
}

export interface JobCall {
  readonly id: string;
  /** `read`, `deploy`, or `broken`, which throws. */
  readonly tool: string;
  readonly input: JsonObject;
}

export interface JobHook {
  readonly on: EventKind;
  /** The tools it applies to. Default: all. */
  readonly match?: string;
  /** The answer; or a hook that throws, never answers, or aborts the run and then never answers. */
  readonly does: HookAnswer | 'throws' | 'hangs' | 'aborts';
  readonly timeoutMs?: number;
}

/** The parts that the agent under test is made of. */
export interface AdapterScene {
  readonly hookline: Hookline;
  readonly session: string;
  /** The folder of the job, for an SDK that keeps its state itself. */
  readonly folder: string;
  readonly calls: readonly JobCall[];
  readonly answer: string;
  readonly tools: Readonly<Record<string, (input: JsonObject) => Promise<string>>>;
  readonly signal: AbortSignal;
  readonly stream: boolean;
  readonly failures: number;
  /** Absent for a new run. */
  readonly resume?: Json;
}

/** The observations of the agent and its client. */
export interface AdapterResult {
  /** How often the model was called and answered. */
  readonly modelCalls: number;
  /** The text that the model got as the result of each call, by the id of the call. */
  readonly seen: Readonly<Record<string, string>>;
  /** Everything that the model got with its last call, as text. */
  readonly modelInput: string;
  /** The ids of the calls that wait for a person. */
  readonly held: readonly string[];
  /** The value for `resume`; null if nothing is held. */
  readonly state: Json;
  /** Everything that the client of the agent saw, as text: the parts of a stream, or the answer. */
  readonly output: string;
}

/** Runs an agent of the SDK with a mock model. It may reject if the run fails. */
export type AdapterAgent = (scene: AdapterScene) => Promise<AdapterResult>;

export interface AdapterReport extends AdapterResult {
  /** The tools that ran, in the order in which they began, each with its input. */
  readonly ran: readonly { readonly tool: string; readonly input: JsonObject }[];
  /** The events that reached the hooks. */
  readonly fired: readonly { readonly kind: EventKind; readonly data: Json }[];
  readonly tickets: readonly JobTicket[];
  /** Why the run failed, if it did. */
  readonly error: string | null;
}

export interface JobTicket {
  readonly id: string;
  readonly state: string;
  readonly session: string;
  readonly call: Json;
  readonly metadata: Json;
}

const WATCHED: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.error', 'llm.before', 'llm.after'];
const NOTHING: AdapterResult = { modelCalls: 0, seen: {}, modelInput: '', held: [], state: null, output: '' };

/** @param create `createHookline` */
export async function performJob(
  job: AdapterJob,
  create: (options: HooklineOptions) => Promise<Hookline>,
  agent: AdapterAgent,
): Promise<AdapterReport> {
  const { folder, session = 'session-1', hooks = [], calls = [], answer = 'done', stream = false, failures = 0, resume } = job;
  const hookline = await create({ root: `${folder}/project`, home: `${folder}/home`, store: `sqlite:${folder}/hookline.db` });
  const controller = new AbortController();
  const fired: { kind: EventKind; data: Json }[] = [];
  const ran: { tool: string; input: JsonObject }[] = [];
  for (const kind of WATCHED)
    hookline.on(kind, ({ data }) => void fired.push({ kind, data: JSON.parse(JSON.stringify(data)) }), {
      name: `watch ${kind}`,
      priority: 100,
    });
  for (const [index, hook] of hooks.entries()) addHook(hookline, hook, `hook ${index}`, controller);
  const tool = (name: string) => async (input: JsonObject) => {
    ran.push({ tool: name, input });
    if (name === 'broken') throw new Error(`${name} broke`);
    return `${name} ${String(input['text'])}`;
  };
  const tools = Object.fromEntries(['read', 'deploy', 'broken'].map((name) => [name, tool(name)]));
  const scene = { hookline, session, folder, calls, answer, tools, signal: controller.signal, stream, failures };
  let error: string | null = null;
  let result = NOTHING;
  try {
    if (job.closed) await hookline.close(0);
    if (job.settle) await settle(hookline, job.settle);
    else result = await agent({ ...scene, ...(resume !== undefined && { resume }) });
  } catch (failure) {
    error = failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);
  }
  const tickets = job.closed ? [] : (await hookline.approvals.list()).map(ticketOf);
  await hookline.close(0);
  return { ...result, ran, fired, tickets, error };
}

function addHook(hookline: Hookline, { on, match, does, timeoutMs }: JobHook, name: string, run: AbortController): void {
  const options = { name, ...(match !== undefined && { match }), ...(timeoutMs !== undefined && { timeoutMs }) };
  hookline.on(
    on,
    () => {
      if (does === 'throws') throw new Error('the hook broke');
      if (does === 'aborts') run.abort(new Error('the user aborted'));
      return does === 'hangs' || does === 'aborts' ? new Promise<undefined>(() => {}) : does;
    },
    options,
  );
}

async function settle({ approvals }: Hookline, { approve, calls, input, ...by }: NonNullable<AdapterJob['settle']>): Promise<void> {
  for (const { id, action } of await approvals.list({ state: 'open' })) {
    if (calls && !calls.includes(String(action.event.data['toolUseId']))) continue;
    await (approve ? approvals.approve(id, { ...by, ...(input !== undefined && { input }) }) : approvals.deny(id, by));
  }
}

function ticketOf({ id, state, session, action, metadata }: Awaited<ReturnType<Hookline['approvals']['list']>>[number]): JobTicket {
  return { id, state, session, call: action.event.data['toolUseId'] ?? null, metadata: metadata ?? null };
}
