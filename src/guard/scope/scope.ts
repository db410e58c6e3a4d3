/**
 * The scope of a grant: makes it from the approved action and the options of a person, and says whether a later action is in it. An action that
 * cannot be read for certain is in no scope.
 */
import path from 'node:path';
import type { HookEvent } from '../../core/event/event.ts';
import { sameActionDigest, wordingIn } from '../../core/event/tool-wording.ts';
import type { GrantScope, GrantWish } from '../../core/record/grant.ts';
import { digestOf, type Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { readTool } from '../tools/read-tool.ts';
import { candidatesOf, FOLDS_CASE } from '../tools/real-path.ts';
import { COMMAND_KEYS, FOLDER_KEYS, normalizeName, PATH_KEYS, PROGRAM_KEYS, toolKind } from '../tools/tools.ts';
import { runsAnyProgram } from './any-program.ts';
import { simpleCommand } from './simple-command.ts';

/** Everything that a scope depends on besides the action. */
export interface ScopeContext {
  readonly hash: Hash;
  readonly root: string;
  readonly home: string;
}

/** A scope, or why there is none. */
export type ScopeResult = { readonly scope: GrantScope } | { readonly why: string; readonly hint: string };

const SAME_ACTION = 'Leave out `--same` to grant exactly this action again.';

export function scopeOf(event: HookEvent, wish: GrantWish, context: ScopeContext): ScopeResult {
  const tool = textOf(event.data['tool']) ?? null;
  if (wish.same === undefined) return { scope: { same: 'action', tool, digest: sameActionDigest(event, context.hash) } };
  if (tool === null) return { why: 'The action is not the use of a tool.', hint: SAME_ACTION };
  if (wish.same === 'tool') return toolScope(tool, event);
  return wish.same === 'path' ? pathScope(tool, event, wish.path, context) : prefixScope(tool, event, wish.prefix, context);
}

/** Whether an action is in a scope. */
export function inScope(scope: GrantScope, event: HookEvent, context: ScopeContext): boolean {
  if (scope.tool !== (textOf(event.data['tool']) ?? null)) return false;
  switch (scope.same) {
    case 'action':
      return sameActionDigest(event, context.hash) === scope.digest;
    case 'tool':
      return !runsCode(scope.tool, event);
    case 'path':
      return isBelow(filesOf(scope.tool, event, context), scope.path);
    case 'command-prefix': {
      const found = commandOf(scope.tool, event, context.hash);
      if (!found || found.rest !== scope.rest || event.session.cwd !== scope.cwd) return false;
      return startsWith(simpleCommand(found.text), scope.words);
    }
  }
}

/** Kinds of tools that run code by their nature, whatever their input. */
const RUNS: ReadonlySet<string> = new Set(['run', 'type', 'code', 'call']);

function runsCode(tool: string, { data }: HookEvent): boolean {
  if (RUNS.has(toolKind(tool).does)) return true;
  const { texts, unclear } = readTool(tool, data['input']);
  return texts.length > 0 || unclear !== undefined;
}

function toolScope(tool: string, event: HookEvent): ScopeResult {
  if (!runsCode(tool, event)) return { scope: { same: 'tool', tool } };
  return { why: `${tool} runs commands or other code, so a grant for all its uses would have no limit.`, hint: SAME_ACTION };
}

interface FoundCommand {
  readonly text: string;
  /** The digest of the other fields of the input. A field may switch off a sandbox or name another folder. */
  readonly rest: string;
}

function commandOf(tool: string, { data }: HookEvent, hash: Hash): FoundCommand | undefined {
  const input: Json = data['input'] ?? null;
  if (toolKind(tool).does !== 'run') return undefined;
  const { texts, unclear } = readTool(tool, input);
  const [found] = texts;
  if (!found || texts.length > 1 || unclear !== undefined || found.language !== 'shell') return undefined;
  if (typeof input === 'string') return input === found.text ? { text: input, rest: digestOf({}, hash) } : undefined;
  if (!isObject(input)) return undefined;
  const isCommand = ([key, value]: [string, unknown]): boolean =>
    value === found.text && (COMMAND_KEYS.has(normalizeName(key)) || PROGRAM_KEYS.has(normalizeName(key)));
  const entries = Object.entries(input);
  if (entries.filter(isCommand).length !== 1) return undefined;
  const wording = wordingIn(tool, input);
  const rest = Object.fromEntries(entries.filter((entry) => !isCommand(entry) && !wording.includes(entry[0])));
  return { text: found.text, rest: digestOf(rest, hash) };
}

/** A word that names a subcommand or a task, and neither a file nor an option. */
const SUBCOMMAND = /^[A-Za-z0-9][\w:-]*$/;

function prefixScope(tool: string, event: HookEvent, wanted: string | undefined, { hash }: ScopeContext): ScopeResult {
  const found = commandOf(tool, event, hash);
  if (!found) return { why: `${tool} does not run one shell command here.`, hint: SAME_ACTION };
  const all = simpleCommand(found.text);
  if (!all) {
    const why = 'The command is not one simple command: it has an operator, a substitution, a redirection, an assignment or an escape.';
    return { why, hint: SAME_ACTION };
  }
  const words = wanted === undefined ? guessedPrefix(all) : simpleCommand(wanted);
  if (!words) {
    const why =
      wanted === undefined ? 'The command does not show which of its words are a subcommand.' : '`--prefix` must be words of a command.';
    return { why, hint: 'Name the words: `--prefix "npm run test"`.' };
  }
  if (!startsWith(all, words))
    return { why: `The approved command does not begin with \`${words.join(' ')}\`.`, hint: 'Name its first words.' };
  if (words.some((word) => word.startsWith('-')))
    return { why: 'A prefix has no options, because their values come next.', hint: 'Name fewer words.' };
  if (runsAnyProgram(words))
    return {
      why: `Commands that begin with \`${words.join(' ')}\` can run any program, so a grant would have no limit.`,
      hint: SAME_ACTION,
    };
  return { scope: { same: 'command-prefix', tool, words, cwd: event.session.cwd, rest: found.rest } };
}

/** Returns the program and the subcommands after it. A program alone is not guessed. */
function guessedPrefix(all: readonly string[]): readonly string[] | undefined {
  const end = all.findIndex((word, i) => i > 0 && !SUBCOMMAND.test(word));
  const words = end === -1 ? all : all.slice(0, end);
  return words.length > 1 ? words : undefined;
}

function startsWith(words: readonly string[] | undefined, first: readonly string[]): boolean {
  return words !== undefined && first.length > 0 && first.every((word, i) => words[i] === word);
}

function pathScope(tool: string, event: HookEvent, wanted: string | undefined, context: ScopeContext): ScopeResult {
  const files = filesOf(tool, event, context);
  const [file, second] = files ?? [];
  if (file === undefined) return { why: `${tool} does not name the files that it uses.`, hint: SAME_ACTION };
  if (wanted === undefined) {
    if (second === undefined) return { scope: { same: 'path', tool, path: file } };
    return { why: 'The action uses several files.', hint: 'Name a folder that contains all of them: `--path DIR/`.' };
  }
  const real = realPath(wanted, event.session.cwd, context);
  const isFolder = /[\\/]$/.test(wanted);
  const scope = real === undefined ? undefined : isFolder && !real.endsWith(path.sep) ? `${real}${path.sep}` : real;
  if (scope !== undefined && isBelow(files, scope)) return { scope: { same: 'path', tool, path: scope } };
  const hint = isFolder ? 'Name a folder that contains the approved file.' : 'A folder ends with a separator: `--path src/`.';
  return { why: `\`${wanted}\` does not contain what was approved: ${(files ?? []).join(', ')}.`, hint };
}

/** Returns the real paths of all files that the call uses. Undefined: they are not known for certain. */
function filesOf(tool: string, { data, session }: HookEvent, context: ScopeContext): readonly string[] | undefined {
  const input: Json = data['input'] ?? null;
  const { does } = toolKind(tool);
  if (does !== 'file' && does !== 'patch') return undefined;
  const { texts, paths, unclear } = readTool(tool, input);
  if (texts.length > 0 || unclear !== undefined || paths.length === 0) return undefined;
  // Another folder in the input would change where a relative path leads.
  const moves =
    isObject(input) && Object.keys(input).some((key) => FOLDER_KEYS.has(normalizeName(key)) && !PATH_KEYS.has(normalizeName(key)));
  const files = moves ? [undefined] : paths.map(({ path: given }) => realPath(given, session.cwd, context));
  return files.every((file) => file !== undefined) ? [...new Set(files)] : undefined;
}

/** Returns the path without links and `..`. */
function realPath(given: string, cwd: string, { root, home }: ScopeContext): string | undefined {
  const candidates = candidatesOf(given, { cwd, home, root }, false);
  return candidates?.[1]?.path ?? candidates?.[0]?.path;
}

function isBelow(files: readonly string[] | undefined, scope: string): boolean {
  const fold = (text: string): string => (FOLDS_CASE ? text.toLowerCase() : text);
  const wanted = fold(scope);
  return files?.every((file) => (wanted.endsWith(path.sep) ? fold(file).startsWith(wanted) : fold(file) === wanted)) ?? false;
}
