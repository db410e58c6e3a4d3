/**
 * Code in languages that have no reader. If it names a function of the list, its texts are what the function gets: commands, or paths that are
 * deleted. Which text goes to which function is not known, so the commands count as guesses.
 */
import { atMost } from '../../limits.ts';

const RUNS =
  /(?<![\w-])(?:run-program|callCommand|callProcess|readProcess|readCreateProcess|rawSystem|spawnCommand|spawnProcess|createProcess|sys\.process|java\.shell|shell\/sh|babashka\.process|getRuntime|ProcessBuilder|process::Command|exec\.Command|os:cmd|open_port|System\.cmd|System\.shell|:os\.cmd|Port\.open|Process\.(?:run|start|new|exec|spawn)|Process\(\)|NSTask|shell-command(?:-to-string)?|async-shell-command|call-process|start-process|system[2*]?|os\/execute|os\/shell|process\*|subprocess|popen|execvp?e?|posix_spawnp?|ShellExecute\w*|execShellCmd|execCmdEx?|run_shell|Sys\.command|Unix\.(?:system|execvp?)|open_process_in|executeShell|spawnShell|e?syscmd|commandLine|unix|dos|shell_cmd)(?![\w-])|\brun\s*<|\bshell\s*["'(`]|\bexec\s*[({]|\.execute\(\)|"\s*\.!|\brun\s*\(?`/;
const DELETES =
  /(?<![\w-])(?:delete-directory(?:\/files|-tree|-and-files)?|confirm_recursive_rmdir|delete-tree|deleteRecursively|removeDirectoryRecursive|removePathForcibly|rm_rf!?|rm-rf|removeItem|remove_dir_all|RemoveAll|del_dir_r|deleteDirectory|forceDelete|removeDir|rmdirRecurse|rmtree|remove_all|unlink|file\.remove|deleteDir|deleteSync|delete-file|removeFile|rm_r|os\.remove(?:\.all)?|file delete|Files\.delete(?:IfExists)?|File::delete|toFile\(\)\.delete|Directory\.Delete|dir_delete|AntBuilder\(\)\.delete|Walk\w*\(?[\s\S]{0,300}\bos\.Remove)(?![\w-])/;
/** A deletion of a path below the current folder, and code that changes this folder. */
const DELETES_HERE = new RegExp(`${DELETES.source}\\s*\\(\\s*"\\w[\\w./-]*"\\s*\\)`, 'g');
const CHANGES_FOLDER = /\bch_?dir\b|\bcd[!(\s]/i;
const HOME =
  /home-dir|homeDir|\bos\.home\b|HomeDirectory|user_home|UserHomeDir|Path\.home|user\.home|homedir|home_dir|\bHOME\b|user-homedir-pathname|getHomeDir|path_home|SpecialFolder\.UserProfile/;
/** The home as these languages read it from the environment. */
const HOME_VARIABLE = /\(?\b[\w.:-]*get-?env\w*[\s(]*["']HOME["']\s*\)?/gi;
/** A program that lists files, with the folder in which it starts. */
const LISTED = /(?:^|[\s(|])(?:g?find|ls|fd|tree|du)\s+(?:-\S+\s+)*([/~$][^\s|"';]*)/;
const SOCKETS =
  /(?<!\w)(?:gen_tcp|gen_udp|TcpStream|TcpClient|net\.Dial|socketConnection|make\.socket|TCPSocket|UNIXSocket|socket\.tcp|socket\.connect|network-stream|open-network-stream|java\.net\.Socket|new Socket|Socket\(|sockets?\.connect|connectTo|NWConnection|CFStreamCreatePair\w*|\/inet\/tcp)(?![\w-])|\bsocket\s+(?:-\w+\s+)*[\w."]+\s+\d+/;
const FETCHED = /\b(?:source|include|load|eval|load-file|use|Code\.eval_string)\b[^\n;]{0,40}["'`]https?:\/\//;
const MOST_TEXTS = 64;

export interface Listed {
  /** Shell code that the program may run. */
  readonly guesses: readonly string[];
  /** Paths that the program deletes. */
  readonly deleted: readonly string[];
  /** Whether it runs code from an address. */
  readonly remote: boolean;
  /** Whether it has a connection and runs commands, so the commands may come from there. */
  readonly commanded?: boolean;
}

/** Returns what the functions of the list would do in a text. */
export function listedIn(written: string): Listed {
  const code = written.replace(HOME_VARIABLE, '"~"');
  const [runs, deletes] = [RUNS.test(code), DELETES.test(CHANGES_FOLDER.test(code) ? code : code.replace(DELETES_HERE, ''))];
  const remote = FETCHED.test(code);
  if (!runs && !deletes) return { guesses: [], deleted: [], remote };
  const found = Array.from(code.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.){2,})'|`([^`'\n]+)[`']|\brun\s*<([^<>\n]+)>/g), (match) =>
    (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').replace(/\\(["'\\])/g, '$1'),
  );
  const texts = atMost(found, MOST_TEXTS, 'the texts in a program');
  const listed = texts.flatMap((text) => LISTED.exec(text)?.[1] ?? []);
  const globbed = Array.from(code.matchAll(/\bglob\s+(?:-\S+\s+)*([/~]\S*?)[\]\s]/g), (match) => match[1] ?? '');
  const paths = [...texts.filter((text) => /^[/~]\S*$/.test(text)), ...listed, ...globbed];
  return {
    guesses: runs ? [...texts.filter((text) => /\s/.test(text)), texts.join(' ')] : [],
    deleted: deletes ? [...paths, ...(HOME.test(code) ? ['~'] : [])] : [],
    remote,
    // A function that runs commands can get them over the connection.
    ...(runs && SOCKETS.test(code) && { commanded: true }),
  };
}

/** Functions that delete, in any language, and a shell that deletes. */
const REMOVES =
  /\b(?:unlink(?:Sync)?|rmSync|rm_rf?|rmtree|remove_tree|os\.remove|File\.delete|FileUtils\.rm\w*|rmdir)\b|\b(?:system|exec)\s*\(?\s*["'`][^"'`]*\b(?:rm|shred)\b/;
/** A folder that is read, of which only the home and whole paths are known. */
const OPENED =
  /(?:\bopendir\b[^,\n]{0,40},\s*|\blfs\.dir\s*\(\s*)(?:(\$ENV\{['"]?HOME['"]?\}|os\.getenv\s*\(\s*["']HOME["']\s*\))|["']([/~][^"'\n]*)["'])\s*\)/g;
/** A program that reads lines: of its input, or of what it is told to read. */
const LINES =
  /\bstdin\b|\bARGF\b|<>|\$_\b|\$<|\bgets\b|\binput\s*\(|\breadline|readFileSync\(\s*(?:0|["']\/dev\/stdin)|\bio\.(?:lines|read)\b/i;

/** Returns the folders whose files a program lists and then deletes one by one. */
export function walkedIn(code: string): readonly string[] {
  if (!REMOVES.test(code)) return [];
  const listed = Array.from(code.matchAll(/"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`/g)).flatMap(
    ([, double, single, back]) => LISTED.exec(double ?? single ?? back ?? '')?.[1] ?? [],
  );
  const opened = Array.from(code.matchAll(OPENED), ([, home, path]) => (home === undefined ? (path ?? '') : '~'));
  return [...new Set([...listed, ...opened])].slice(0, MOST_TEXTS);
}

/** Returns whether a program deletes the files that its input names. */
export function deletesLines(code: string, name: string, argv: readonly string[]): boolean {
  if (/^[gmn]?awk$/.test(name)) return /\bsystem\s*\(\s*"[^"]*\b(?:rm|unlink|shred)\b[^"]*"\s*\$/.test(code);
  if (!REMOVES.test(code)) return false;
  return LINES.test(code) || (/^(?:perl|ruby)/.test(name) && argv.some((word) => /^-[a-zA-Z]*[np]/.test(word)));
}

/** The function of an editor with the flag for whole folders. */
const EDITOR_DELETES = /\bdelete\(\s*(?:(?:[\w.]+\.)?expand\(\s*)?["']?([^"',()]+)["']?\s*\)?\s*,\s*["']rf["']/;

/** Returns the folders that commands of an editor delete: `call delete(expand("~"), "rf")`. */
export function editorDeletions(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word) => EDITOR_DELETES.exec(word)?.[1]?.replace(/^(?:\$|vim\.env\.)HOME\b/, '~') ?? []);
}
