/** The composition root: the only lists of agents, handlers, stores and notifiers. */

import { agenthooks } from './agents/agenthooks/index.ts';
import { arawn } from './agents/arawn/index.ts';
import { claudeAgent } from './agents/claude-agent/index.ts';
import { claudeCode } from './agents/claude-code/index.ts';
import { cline } from './agents/cline/index.ts';
import { codex } from './agents/codex/index.ts';
import { copilot } from './agents/copilot/index.ts';
import { cursor } from './agents/cursor/index.ts';
import { droid } from './agents/droid/index.ts';
import { geminiCli } from './agents/gemini-cli/index.ts';
import { hookline } from './agents/hookline/index.ts';
import { hooktoml } from './agents/hooktoml/index.ts';
import { kimi } from './agents/kimi/index.ts';
import { opencode } from './agents/opencode/index.ts';
import { qwen } from './agents/qwen/index.ts';
import { skillkit } from './agents/skillkit/index.ts';
import { windsurf } from './agents/windsurf/index.ts';
import type { Agent } from './core/contracts/agent.ts';
import type { Dialect } from './core/contracts/dialect.ts';
import type { DescribeHandler, Handler } from './core/contracts/handler.ts';
import type { Host } from './core/contracts/host.ts';
import type { Judging } from './core/contracts/judge.ts';
import type { Notifier, NotifierConfig, NotifierParts } from './core/contracts/notifier.ts';
import type { StoreKind } from './core/contracts/store.ts';
import type { EventKind } from './core/event/event.ts';
import { canBeDenied } from './core/meaning/profile.ts';
import { functionHandler } from './handlers/function.ts';
import { type GuardHandlerContext, guardHandler, guardLine } from './handlers/guard.ts';
import { type BuiltinCommand, withBuiltins } from './handlers/kit/builtin-commands.ts';
import { COMMAND, HTTP, MCP_TOOL, unknownType, WORKER } from './handlers/kit/describe.ts';
import { type Model, modelHandlers } from './handlers/model.ts';
import { staticHandler } from './handlers/static.ts';
import type { WorkerPorts } from './handlers/worker/index.ts';

/** Command lines that are run in this process, in every format. */
export const BUILTIN_COMMANDS: readonly BuiltinCommand[] = [guardLine];

const BUILTIN_HANDLERS: ReadonlyMap<string, Handler> = new Map(builtinHandlers(undefined).map((handler) => [handler.type, handler]));

/** Returns what a hook's handler does, for audits. A type that only the user's program knows cannot be looked into. */
export const describeHandler: DescribeHandler = ({ type, config }) =>
  BUILTIN_HANDLERS.get(type)?.describe(config) ?? { does: 'ask', why: unknownType(type) };

const TYPES_IN_FILES: ReadonlySet<string> = new Set(
  [...BUILTIN_HANDLERS.values()].filter(({ inFiles }) => inFiles).map(({ type }) => type),
);

/** All agents and hook formats. Their order is the order of the lanes: functions first, because they are the caller's own. */
export const AGENTS: readonly Agent[] = [
  hookline,
  skillkit,
  claudeAgent,
  agenthooks,
  hooktoml,
  arawn,
  claudeCode,
  codex,
  qwen,
  geminiCli,
  copilot,
  cursor,
  windsurf,
  kimi,
  droid,
  cline,
  opencode,
].map((agent) => ({ ...agent, dialect: withBuiltins(agent.dialect, BUILTIN_COMMANDS, TYPES_IN_FILES) }));

export const DIALECTS: readonly Dialect[] = AGENTS.map(({ dialect }) => dialect);

/** The agents that call Hookline and are answered in their own format. */
export const HOSTS: readonly Host[] = AGENTS.flatMap(({ host }) => host ?? []);

/** Whether a hook of any dialect could deny an event of this kind. */
export function isDeniable(kind: EventKind): boolean {
  return canBeDenied(
    kind,
    DIALECTS.map(({ profile }) => profile),
  );
}

const postgres: StoreKind = {
  place: 'server',
  open: async (url, options) => (await import('./stores/postgres/index.ts')).openPostgresStore(url, options),
};

/** Stores for held actions and the log, by the scheme of the URL. Each is loaded when it is opened. */
export const STORES: Readonly<Record<string, StoreKind>> = {
  'memory:': { place: 'nothing', open: async (_, options) => (await import('./stores/memory.ts')).createMemoryStore(options) },
  'sqlite:': {
    place: 'path',
    open: async (url, options) => (await import('./stores/sqlite/index.ts')).openSqliteStore(url.slice('sqlite:'.length), options),
  },
  'postgres:': postgres,
  'postgresql:': postgres,
};

/** Notifiers, by type. */
export const NOTIFIERS: {
  readonly [T in NotifierConfig['type']]: (config: NotifierConfig & { type: T }, parts: NotifierParts) => Promise<Notifier>;
} = {
  command: async (config) => (await import('./people/notifiers/command.ts')).commandNotifier(config),
  webhook: async (config) => (await import('./people/notifiers/webhook.ts')).webhookNotifier(config),
  desktop: async (config, parts) => (await import('./people/notifiers/desktop.ts')).desktopNotifier(config, parts),
};

/**
 * Handlers that need a process or a socket are loaded for their first call, because most events never need them.
 * @param userFolder Hookline's folder of the user, where optional packages may be installed too
 */
export function builtinHandlers(
  model: Model | undefined,
  guard?: () => Promise<GuardHandlerContext>,
  judging?: () => Promise<Judging>,
  userFolder?: string,
  worker?: () => Promise<WorkerPorts>,
): readonly Handler[] {
  return [
    lazily(COMMAND, async () => (await import('./handlers/command/index.ts')).commandHandlerFor()),
    lazily(HTTP, async () => (await import('./handlers/http/index.ts')).httpHandler),
    lazily(WORKER, async () => (await import('./handlers/worker/index.ts')).createWorkerHandler(await worker?.())),
    functionHandler,
    staticHandler,
    guardHandler(guard),
    ...modelHandlers(model, judging),
    lazily(MCP_TOOL, async () => (await import('./handlers/mcp/index.ts')).mcpToolHandler(userFolder)),
  ];
}

function lazily(facts: Pick<Handler, 'type' | 'inFiles' | 'describe'>, load: () => Promise<Handler>): Handler {
  const lazy: { -readonly [K in keyof Handler]: Handler[K] } = {
    ...facts,
    handle: (call) =>
      load().then((handler) => {
        lazy.handle = (next) => handler.handle(next);
        if (handler.close) lazy.close = () => handler.close?.();
        return handler.handle(call);
      }),
  };
  return lazy;
}
