/** The composition root: the only list of dialects, places and handlers. Their order is the order of the lanes. */
import { type BuiltinCommand, withBuiltins } from './core/builtin-commands.ts';
import type { Dialect, PlaceOwners } from './core/dialect.ts';
import type { EventKind } from './core/event.ts';
import type { Handler } from './core/handler.ts';
import type { Host } from './core/host.ts';
import type { Notifier, NotifierConfig } from './core/notifier.ts';
import { canBeDenied } from './core/profile.ts';
import type { Store } from './core/store.ts';
import { agenthooks } from './dialects/agenthooks/index.ts';
import { arawn } from './dialects/arawn/index.ts';
import { claudeAgent } from './dialects/claude-agent/index.ts';
import { claudeCode } from './dialects/claude-code/index.ts';
import { cline } from './dialects/cline/index.ts';
import { codex } from './dialects/codex/index.ts';
import { copilot } from './dialects/copilot/index.ts';
import { cursor } from './dialects/cursor/index.ts';
import { droid } from './dialects/droid/index.ts';
import { geminiCli } from './dialects/gemini-cli/index.ts';
import { hookline } from './dialects/hookline/index.ts';
import { hooktoml } from './dialects/hooktoml/index.ts';
import { kimi } from './dialects/kimi/index.ts';
import { opencode } from './dialects/opencode/index.ts';
import { qwen } from './dialects/qwen/index.ts';
import { skillkit } from './dialects/skillkit/index.ts';
import { windsurf } from './dialects/windsurf/index.ts';
import { functionHandler } from './handlers/function/index.ts';
import { type GuardSurroundings, guardHandler, guardLine } from './handlers/guard/index.ts';
import { mcpToolHandler } from './handlers/mcp-tool/index.ts';
import type { Model } from './handlers/model/index.ts';
import { modelHandlers } from './handlers/model/index.ts';
import { staticHandler } from './handlers/static/index.ts';
import { claudeCodeHost } from './hosts/claude-code/index.ts';
import { clineHost } from './hosts/cline/index.ts';
import { codexHost } from './hosts/codex/index.ts';
import { copilotHost } from './hosts/copilot/index.ts';
import { cursorHost } from './hosts/cursor/index.ts';
import { droidHost } from './hosts/droid/index.ts';
import { geminiCliHost } from './hosts/gemini-cli/index.ts';
import { kimiHost } from './hosts/kimi/index.ts';
import { opencodeHost } from './hosts/opencode/index.ts';
import { qwenHost } from './hosts/qwen/index.ts';
import { windsurfHost } from './hosts/windsurf/index.ts';

/** Command lines that are answered in this process, whichever format has them. */
export const BUILTIN_COMMANDS: readonly BuiltinCommand[] = [guardLine];

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
].map((dialect) => withBuiltins(dialect, BUILTIN_COMMANDS));

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
  'memory:': async () => (await import('./stores/memory/index.ts')).createMemoryStore(),
  'sqlite:': async (url) => (await import('./stores/sqlite/index.ts')).openSqliteStore(url.slice('sqlite:'.length)),
  'postgres:': async (url) => (await import('./stores/postgres/index.ts')).openPostgresStore(url),
  'postgresql:': async (url) => (await import('./stores/postgres/index.ts')).openPostgresStore(url),
};

/** How people are told, by type. */
export const NOTIFIERS: { readonly [T in NotifierConfig['type']]: (config: NotifierConfig & { type: T }) => Promise<Notifier> } = {
  command: async (config) => (await import('./notifiers/command/index.ts')).commandNotifier(config),
  webhook: async (config) => (await import('./notifiers/webhook/index.ts')).webhookNotifier(config),
};

/** Handlers that need a process or a socket are loaded when they are first asked: most events never get that far. */
export function builtinHandlers(model: Model | undefined, guard?: () => Promise<GuardSurroundings>): readonly Handler[] {
  return [
    lazily('command', async () => (await import('./handlers/command/index.ts')).commandHandlerFor()),
    lazily('http', async () => (await import('./handlers/http/index.ts')).httpHandler),
    functionHandler,
    staticHandler,
    guardHandler(guard),
    ...modelHandlers(model),
    mcpToolHandler,
  ];
}

function lazily(type: string, load: () => Promise<Handler>): Handler {
  let loaded: Handler | undefined;
  return {
    type,
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
