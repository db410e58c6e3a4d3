/**
 * Agents of Mastra behind the hooks. An agent collects the tools of a run in one place, from all of their sources, and the models in another. Both are
 * replaced on the agent itself, because a run that was suspended finds its agent by its id.
 */
import type { Hookline } from '../../api/hookline.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { type CallContext, createGate } from '../kit/gate.ts';
import { Canary, noteAsked } from './canary.ts';
import { Halts } from './halts.ts';
import { guardModel } from './models.ts';
import { type AgentRun, type CallerOfRun, contextOf, contextOutside } from './run.ts';
import { type AnyTool, guardTool } from './tools.ts';

/** An agent of any version of Mastra, as far as it is used here. */
interface AnyAgent {
  readonly id: string;
  /** Returns the tools of a run, by name. */
  convertTools(run: AgentRun): Promise<Record<string, AnyTool>>;
  /** Returns the model for a name or a value of the agent's config. */
  resolveModelConfig(config: unknown, requestContext?: object): Promise<object>;
  /** Returns the agent's model. */
  getModel?(options?: object): unknown;
  /** Returns the agents to which it can delegate, by name. */
  listAgents(options?: object): Record<string, object> | Promise<Record<string, object>>;
  /** Returns a copy that a stored version of the agent changes. Older versions have none. */
  __fork?(): object;
  /** The agent that a durable agent wraps, which may be itself. */
  readonly agent?: unknown;
}

type Method = (...args: unknown[]) => unknown;

const SEAMS = ['convertTools', 'resolveModelConfig', 'listAgents'] as const;
/** They run tools by themselves, past every seam. */
const UNGUARDED = ['network', 'resumeNetwork'] as const;

/** They begin a run, or enter a suspended one again. Every other method that does so calls them. */
const STARTS = ['generate', 'stream', 'generateLegacy', 'streamLegacy'] as const;
const RESUMES = ['resumeGenerate', 'resumeStream'] as const;
/** Of durable agents. */
const DURABLE_RESUMES = ['resume', 'recover'] as const;

/** The engine of each agent that is guarded, because a call must not be asked about twice. */
const guarded = new WeakMap<object, Hookline>();

/**
 * Puts the hooks before the tools and the model of an agent, and of the agents to which it delegates. Throws if the agent cannot be guarded.
 * @param caller who calls, for hooks
 */
export function guardAgent<A extends object>(agent: A, hookline: Hookline, caller: CallerOfRun = {}): A {
  const own = agent as unknown as AnyAgent;
  const missing = SEAMS.find((seam) => typeof own[seam] !== 'function');
  if (missing !== undefined)
    throw new HooklineError('bad-option', `The agent cannot be guarded: it has no \`${missing}\`.`, {
      hint: 'Give an `Agent` of @mastra/core, in a version that docs/sdks.md names.',
    });
  const engine = guarded.get(agent);
  if (engine === hookline) return agent;
  if (engine) throw new HooklineError('bad-option', `The agent ${own.id} is guarded by another engine.`);
  guarded.set(agent, hookline);
  // A durable agent takes its tools and its model from the agent that it wraps.
  if (isAgent(own.agent)) guardAgent(own.agent, hookline, caller);
  Object.assign(agent, watchedRuns(own), guardedParts(own, hookline, caller));
  for (const name of UNGUARDED) Object.assign(agent, { [name]: () => Promise.reject(noNetwork(own.id)) });
  return agent;
}

/** Returns the methods that run the agent, each of which proves that the run was behind the hooks. */
function watchedRuns(own: AnyAgent): Record<string, Method> {
  const methods = own as unknown as Readonly<Record<string, Method | undefined>>;
  const canary = new Canary(own.id, own.getModel?.bind(own));
  const watched =
    (method: Method): Method =>
    async (...args) =>
      canary.watch(args[1] as object | undefined, () => method.apply(own, args));
  // The run of a durable agent keeps its guarded tools and its model while it is suspended.
  const checked =
    (method: Method): Method =>
    async (...args) => {
      canary.check();
      return method.apply(own, args);
    };
  const isDurable = own.agent !== undefined;
  const wrapped = (names: readonly string[], wrap: (method: Method) => Method): [string, Method][] =>
    names.flatMap((name) => (methods[name] ? [[name, wrap(methods[name])]] : []));
  return Object.fromEntries([
    ...wrapped(STARTS, watched),
    ...wrapped(RESUMES, isDurable ? checked : watched),
    ...wrapped(DURABLE_RESUMES, checked),
  ]);
}

function guardedParts(own: AnyAgent, hookline: Hookline, caller: CallerOfRun): Partial<AnyAgent> {
  const { convertTools, resolveModelConfig, listAgents, __fork: fork } = own;
  const gate = createGate(hookline);
  const halts = new Halts();
  /** By the context of the request, which is all that Mastra says when it resolves a model. */
  const runs = new WeakMap<object, AgentRun>();
  const withdraw = async (ticket: string, note: string): Promise<void> => {
    await hookline.approvals.withdraw(ticket, { note }).catch(() => undefined);
  };
  return {
    async convertTools(run) {
      noteAsked('convertTools');
      runs.set(run.requestContext, run);
      const seam = { gate, halts, withdraw, contextOf: (): CallContext => contextOf(caller, own.id, run) };
      const tools = await convertTools.call(own, run);
      return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool, seam)]));
    },
    async resolveModelConfig(config, requestContext) {
      noteAsked('resolveModelConfig');
      const model = await resolveModelConfig.call(own, config, requestContext);
      return guardModel(model, hookline, halts, () => {
        const run = requestContext && runs.get(requestContext);
        return run ? contextOf(caller, own.id, run) : contextOutside(caller, own.id);
      });
    },
    listAgents(options) {
      const guardAll = (agents: Record<string, object>): Record<string, object> => {
        for (const one of Object.values(agents)) guardAgent(one, hookline, caller);
        return agents;
      };
      const agents = listAgents.call(own, options);
      return agents instanceof Promise ? agents.then(guardAll) : guardAll(agents);
    },
    ...(fork && { __fork: () => guardAgent(fork.call(own), hookline, caller) }),
  };
}

function isAgent(value: unknown): value is object {
  return typeof value === 'object' && value !== null && SEAMS.every((seam) => seam in value);
}

function noNetwork(agent: string): HooklineError {
  return new HooklineError(
    'bad-option',
    `The agent ${agent} cannot be run as a network: Mastra runs the tools of a network past the hooks.`,
    {
      hint: 'Use `generate` or `stream`. An agent with `agents` delegates to them there too.',
    },
  );
}
