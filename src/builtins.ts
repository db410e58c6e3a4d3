/** The composition root: the only list of dialects, places and handlers. Their order is the order of the lanes. */

import { agenthooks } from './agents/agenthooks/index.ts';
import { arawn } from './agents/arawn/index.ts';
import { claudeAgent } from './agents/claude-agent/index.ts';
import { claudeCodeHost } from './agents/claude-code/host.ts';
import { claudeCode } from './agents/claude-code/index.ts';
import { clineHost } from './agents/cline/host.ts';
import { cline } from './agents/cline/index.ts';
import { codexHost } from './agents/codex/host.ts';
import { codex } from './agents/codex/index.ts';
import { copilotHost } from './agents/copilot/host.ts';
import { copilot } from './agents/copilot/index.ts';
import { cursorHost } from './agents/cursor/host.ts';
import { cursor } from './agents/cursor/index.ts';
import { droidHost } from './agents/droid/host.ts';
import { droid } from './agents/droid/index.ts';
import { geminiCliHost } from './agents/gemini-cli/host.ts';
import { geminiCli } from './agents/gemini-cli/index.ts';
import { hookline } from './agents/hookline/index.ts';
import { hooktoml } from './agents/hooktoml/index.ts';
import { kimiHost } from './agents/kimi/host.ts';
import { kimi } from './agents/kimi/index.ts';
import { opencodeHost } from './agents/opencode/host.ts';
import { opencode } from './agents/opencode/index.ts';
import { qwenHost } from './agents/qwen/host.ts';
import { qwen } from './agents/qwen/index.ts';
import { skillkit } from './agents/skillkit/index.ts';
import { windsurfHost } from './agents/windsurf/host.ts';
import { windsurf } from './agents/windsurf/index.ts';
import type { Dialect, PlaceOwners } from './core/contracts/dialect.ts';
import type { DescribeHandler, Handler } from './core/contracts/handler.ts';
import type { Host } from './core/contracts/host.ts';
import type { Notifier, NotifierConfig } from './core/contracts/notifier.ts';
import type { Store } from './core/contracts/store.ts';
import type { EventKind } from './core/event/event.ts';
import { canBeDenied } from './core/meaning/profile.ts';
import { functionHandler } from './handlers/function.ts';
import { type GuardSurroundings, guardHandler, guardLine } from './handlers/guard.ts';
import { type BuiltinCommand, withBuiltins } from './handlers/kit/builtin-commands.ts';
import { COMMAND, HTTP, unknownType } from './handlers/kit/describe.ts';
import { mcpToolHandler } from './handlers/mcp-tool.ts';
import { type Model, modelHandlers } from './handlers/model.ts';
import { staticHandler } from './handlers/static.ts';

/** Command lines that are answered in this process, whichever format has them. */
export const BUILTIN_COMMANDS: readonly BuiltinCommand[] = [guardLine];

const BUILTIN_HANDLERS: ReadonlyMap<string, Handler> = new Map(builtinHandlers(undefined).map((handler) => [handler.type, handler]));

/** What a hook's handler does, for audits. A type that only the user's program knows cannot be looked into. */
export const describeHandler: DescribeHandler = ({ type, config }) =>
  BUILTIN_HANDLERS.get(type)?.describe(config) ?? { does: 'ask', why: unknownType(type) };

const TYPES_IN_FILES: ReadonlySet<string> = new Set(
  [...BUILTIN_HANDLERS.values()].filter(({ inFiles }) => inFiles).map(({ type }) => type),
);

/** Functions first: they are the caller's own. */
export const DIALECTS: readonly Dialect[] = [
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
].map((dialect) => withBuiltins(dialect, BUILTIN_COMMANDS, TYPES_IN_FILES));

/** The agents that are answered as their own hooks would answer them. */
export const HOSTS: readonly Host[] = [
  claudeCodeHost,
  codexHost,
  qwenHost,
  geminiCliHost,
  copilotHost,
  cursorHost,
  windsurfHost,
  kimiHost,
  droidHost,
  clineHost,
  opencodeHost,
];

/** Whether a hook of any dialect could deny an event of this kind. */
export function isDeniable(kind: EventKind): boolean {
  return canBeDenied(
    kind,
    DIALECTS.map(({ profile }) => profile),
  );
}

/** Which dialect reads a place when the caller names none. */
export const PLACE_OWNERS: PlaceOwners = {
  skills: skillkit.id,
  'named-skills': skillkit.id,
  'claude-managed': claudeCode.id,
  // Shared, by the form of its entries.
  'claude-settings': [claudeCode.id, claudeAgent.id],
  'claude-skills': claudeCode.id,
  'claude-agents': claudeCode.id,
  'claude-plugins': claudeCode.id,
  'root-plugin': claudeCode.id,
  'agents-hooks': agenthooks.id,
  'named-hooks-md': agenthooks.id,
  'toml-hooks': hooktoml.id,
  'named-hooks-toml': hooktoml.id,
  plugins: arawn.id,
  'named-plugins': arawn.id,
  'codex-managed': codex.id,
  'codex-hooks': codex.id,
  'codex-config': codex.id,
  'qwen-settings': qwen.id,
  'gemini-settings': geminiCli.id,
  'copilot-hooks': copilot.id,
  'copilot-settings': copilot.id,
  'cursor-hooks': cursor.id,
  'windsurf-hooks': windsurf.id,
};

/** Where held actions and the log can be kept, by the scheme of a store's URL; loaded when one is opened. */
export const STORES: Readonly<Record<string, (url: string) => Promise<Store>>> = {
  'memory:': async () => (await import('./stores/memory.ts')).createMemoryStore(),
  'sqlite:': async (url) => (await import('./stores/sqlite/index.ts')).openSqliteStore(url.slice('sqlite:'.length)),
  'postgres:': async (url) => (await import('./stores/postgres/index.ts')).openPostgresStore(url),
  'postgresql:': async (url) => (await import('./stores/postgres/index.ts')).openPostgresStore(url),
};

/** How people are told, by type. */
export const NOTIFIERS: { readonly [T in NotifierConfig['type']]: (config: NotifierConfig & { type: T }) => Promise<Notifier> } = {
  command: async (config) => (await import('./people/notifiers/command.ts')).commandNotifier(config),
  webhook: async (config) => (await import('./people/notifiers/webhook.ts')).webhookNotifier(config),
};

/** Handlers that need a process or a socket are loaded when they are first asked: most events never get that far. */
export function builtinHandlers(model: Model | undefined, guard?: () => Promise<GuardSurroundings>): readonly Handler[] {
  return [
    lazily(COMMAND, async () => (await import('./handlers/command/index.ts')).commandHandlerFor()),
    lazily(HTTP, async () => (await import('./handlers/http/index.ts')).httpHandler),
    functionHandler,
    staticHandler,
    guardHandler(guard),
    ...modelHandlers(model),
    mcpToolHandler,
  ];
}

function lazily(facts: Pick<Handler, 'type' | 'inFiles' | 'describe'>, load: () => Promise<Handler>): Handler {
  let loaded: Handler | undefined;
  return {
    ...facts,
    handle(call) {
      if (loaded) return loaded.handle(call);
      return load().then((handler) => {
        loaded = handler;
        return handler.handle(call);
      });
    },
    close: () => loaded?.close?.(),
  };
}
