/**
 * The files that code in another language, or a patch, writes and deletes. Code is searched for a fixed list of calls with literal
 * arguments.
 */
import { atMost } from '../../limits.ts';
import { codeReaders } from '../../shell/code-readers.ts';
import type { Call } from '../../shell/foreign/calls.ts';
import { flavourOf } from '../../shell/foreign/flavour.ts';
import { type EffectiveCommand, isForeign } from '../../shell/machine.ts';
import { filesInPatch } from '../../tools/patch-headers.ts';
import { gitLine } from '../git/command-line.ts';
import { toolName } from './syntax.ts';

export interface CodeFiles {
  readonly written: readonly string[];
  readonly unlinked: readonly string[];
}

const WRITES =
  /^(?:writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|truncateSync|truncate|writeTextFile|writeTextFileSync|file_put_contents|WriteAllText|AppendAllText|write_text|write_bytes|binwrite|outputFileSync|outputFile)$/;
/** Functions that write their second argument. */
const COPIES = /^(?:copyFileSync|copyFile|renameSync|rename|symlinkSync|symlink|linkSync|link|copyfile|copy2?|move|cp|mv|ln_s|cpSync)$/;
const UNLINKS = /^(?:unlinkSync|unlink|remove|rm|rm_f|removeSync|deleteFile)$/;
const OPENS = /^(?:open|openSync|fopen|io\.open)$/;
/** Functions that open a database in a file. */
const DATABASES = /^(?:sqlite3\.connect|aiosqlite\.connect|DatabaseSync|(?:\w+\.)?DatabaseSync|Database|SQLite3\.Database\.new)$/;
const MOST_PATHS = 1024;
const NOTHING: CodeFiles = { written: [], unlinked: [] };

export function codeFiles({ name, program }: EffectiveCommand): CodeFiles {
  if (!isForeign(program)) return NOTHING;
  const flavour = flavourOf(name, program.text);
  const { callsIn, tokensOf } = codeReaders();
  const calls = callsIn(tokensOf(program.text, flavour), flavour);
  return {
    written: atMost(calls.flatMap(writtenPaths), MOST_PATHS, 'the files that a program writes'),
    unlinked: atMost(calls.flatMap(unlinkedPaths), MOST_PATHS, 'the files that a program deletes'),
  };
}

function writtenPaths({ name, chain, args, on }: Call): readonly string[] {
  const texts = args.flatMap((arg) => arg ?? []);
  if (DATABASES.test(chain) || DATABASES.test(name)) return texts.slice(0, 1);
  if (WRITES.test(name)) return on === undefined ? texts.slice(0, 1) : [on];
  // A file that is moved leaves its place.
  if (COPIES.test(name)) return /^(?:rename|move|mv)/.test(name) ? texts.slice(0, 2) : texts.slice(1, 2);
  if (!OPENS.test(name)) return [];
  // For example `open(path, 'w')`, `open(F, '>', path)` and `open(F, '>path')`.
  const attached = texts.flatMap((text) => /^\+?>{1,2}\s*([^\s>].*)$/s.exec(text)?.[1] ?? []);
  const opened = texts.some((text) => /^\+?>{1,2}$/.test(text)) ? texts.slice(-1) : [];
  const moded = texts.slice(1).some((text) => /^[wax][bt]?\+?[bt]?$|^r[bt]?\+/.test(text)) ? texts.slice(0, 1) : [];
  return [...attached, ...opened, ...moded];
}

function unlinkedPaths({ name, args, on }: Call): readonly string[] {
  if (!UNLINKS.test(name)) return [];
  return on === undefined ? args.flatMap((arg) => arg ?? []) : [on];
}

/** Options with which a patch is looked at, or reaches the index alone. */
const IDLE = /^(?:--(?:check|stat|numstat|summary|cached|dry-run|abort|quit|skip|show-current-patch.*|help|version))$/;

/**
 * Returns the texts of the patches that a command applies, as far as they are known. Undefined: it applies none. Agents have `apply_patch` in their
 * shells, with the patch as an argument or on standard input.
 */
export function patchTexts({ name, argv, env, stdin, flow }: EffectiveCommand): readonly string[] | undefined {
  const tool = toolName(name);
  if (tool === 'apply_patch') return [...argv.slice(1), stdin];
  const applies = tool === 'patch' || (tool === 'git' && /^(?:apply|am)$/.test(gitLine(name, argv, env)?.subcommand ?? ''));
  if (!applies || argv.slice(2).some((word) => IDLE.test(word)) || (tool === 'patch' && IDLE.test(argv[1] ?? ''))) return undefined;
  return [stdin, ...(flow?.reads ?? []).map(({ held }) => held)].filter((text) => filesInPatch(text, 1).length > 0);
}

/** Returns the files that a patch changes. */
export function patchedFiles(command: EffectiveCommand, use: 'write' | 'delete'): readonly string[] {
  const files = (patchTexts(command) ?? []).flatMap((text) => filesInPatch(text));
  return files.filter((file) => file.use === use).map(({ path }) => path);
}
