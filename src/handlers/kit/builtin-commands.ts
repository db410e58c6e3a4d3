/**
 * Hookline's own command lines. A hook whose command is one of them, in any format, is answered in this process. Only a line whose every word
 * is understood counts; any other is left to the shell, which starts the same program.
 */

import type { Dialect, Loaded } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { isGating } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Json, type JsonObject, textOf } from '../../core/values/json.ts';

export interface BuiltinCommand {
  /** `hookline guard`. */
  readonly words: readonly string[];
  /** The handler that answers in its place. */
  readonly type: string;
  /** The key of each option in the handler's config. */
  readonly options: Readonly<Record<string, { readonly key: string; readonly many?: true }>>;
  /** Returns the problem of a config; undefined if it can be used. */
  check(config: JsonObject): string | undefined;
}

/**
 * Returns the dialect with Hookline's own handlers: for hooks whose command is one of these lines, and for hooks that name one of the types.
 * @param ownTypes types that files of every format may name
 */
export function withBuiltins(dialect: Dialect, commands: readonly BuiltinCommand[], ownTypes: ReadonlySet<string>): Dialect {
  return {
    ...dialect,
    async loader() {
      const load = await dialect.loader();
      return (document, context) => recognised(load(document, { ...context, ownTypes }), dialect, commands);
    },
  };
}

/** Returns the handler for a command line; undefined if the line is not Hookline's own. */
export function builtinHandler(line: string, commands: readonly BuiltinCommand[]): Hook['handler'] | undefined {
  if (!PLAIN.test(line)) return undefined;
  const words = line.trim().split(/\s+/);
  if (words[0] === 'exec') words.shift();
  for (const command of commands) {
    if (!command.words.every((word, i) => words[i] === word)) continue;
    const config = configOf(words.slice(command.words.length), command);
    if (config) return { type: command.type, config };
  }
  return undefined;
}

/** Words without special characters for a shell. */
const PLAIN = /^[\w\s./:=,@+-]{1,1000}$/;

function configOf(words: readonly string[], { options }: BuiltinCommand): JsonObject | undefined {
  const config: Record<string, Json> = {};
  for (let i = 0; i < words.length; i++) {
    const [, name = '', , inline] = /^--([a-z-]+)(=(.*))?$/.exec(words[i] ?? '') ?? [];
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    const value = inline ?? words[++i];
    if (!option || value === undefined || value === '' || value.startsWith('-')) return undefined;
    const given = config[option.key];
    if (option.many) config[option.key] = [...(Array.isArray(given) ? given : []), value];
    else if (given === undefined) config[option.key] = value;
    else return undefined;
  }
  return config;
}

function recognised(loaded: Loaded, dialect: Dialect, commands: readonly BuiltinCommand[]): Loaded {
  const { hooks, diagnostics } = loaded;
  const problems: Diagnostic[] = [];
  const known = hooks.map((hook) => {
    const line = hook.handler.type === 'command' ? textOf(hook.handler.config['command']) : undefined;
    const handler = (line === undefined ? undefined : builtinHandler(line, commands)) ?? hook.handler;
    const command = commands.find(({ type }) => type === handler.type);
    if (command) problems.push(...problemsOf(hook, handler.config, command, dialect));
    return handler === hook.handler ? hook : { ...hook, handler };
  });
  return problems.length === 0 && known.every((hook, i) => hook === hooks[i])
    ? loaded
    : { ...loaded, hooks: known, diagnostics: [...diagnostics, ...problems] };
}

function problemsOf(hook: Hook, config: JsonObject, { check, words }: BuiltinCommand, { profile }: Dialect): Diagnostic[] {
  const { file, line, column } = hook.source;
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const wrong = check(config);
  const rule = profile.events[hook.event];
  const stops = rule !== undefined && isGating(rule) && !hook.detach && rule.run !== 'detach';
  return [
    ...(wrong === undefined
      ? []
      : [{ severity: 'error', code: 'bad-handler', ...place, message: `${wrong} Until it is fixed, the hook denies.` } as const]),
    ...(stops
      ? []
      : [
          {
            severity: 'warning',
            code: 'no-effect',
            ...place,
            message: `\`${words.join(' ')}\` cannot stop anything here, because hook \`${hook.name}\` on ${hook.event} only observes.`,
            hint: 'Put it on the event before a tool runs, and not in the background.',
          } as const,
        ]),
  ];
}
