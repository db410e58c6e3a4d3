/** The reach of statements outside their database: files that they write and read, and programs that they run. */

export interface Reach {
  readonly written: readonly string[];
  readonly read: readonly string[];
  /** The words with which the database runs a program or loads a library. */
  readonly runs: readonly string[];
}

const TARGET = `\\s*[nN]?['"]([^'"]+)['"]`;
const WRITES = [
  `\\binto\\s+(?:out|dump)file\\b${TARGET}`,
  `\\b(?:writefile|pg_file_write|edit)\\(${TARGET}`,
  `\\blo_export\\([^,()]+,${TARGET}`,
  `\\bfunction\\s+file\\(${TARGET}`,
  `\\bto\\s+disk\\s*=${TARGET}`,
  `^[ \\t]*\\.(?:output|once|backup|save|log)\\s+['"]?([^\\s'"]+)`,
  `\\\\(?:o|g|w)\\s+(/[^\\s'"|]+)`,
];
const READS = [
  `\\b(?:pg_read_(?:binary_)?file|load_file|readfile|lo_import|read_text|read_blob|xp_readerrorlog)\\((?:[^'"()]*,)?${TARGET}`,
  `\\binfile\\b${TARGET}`,
  `\\bbulk\\b${TARGET}`,
];
const RUNS = [
  // The program of `from program` is judged as shell code, and many only unpack rows.
  `\\b(to\\s+program)\\b`,
  `\\b(xp_cmdshell|sp_oacreate|sys_exec|sys_eval|dbms_scheduler)\\b`,
  `\\b(load_extension\\(|executable\\()`,
  `\\b(soname\\s+['"][^'"]+)`,
  `\\blanguage\\s+['"]?(plpython\\d?u|plperlu|pltclu|plsh)\\b`,
  `\\b(install\\s+\\w+\\s+from\\s+['"]https?:[^'"]*)`,
];
const MOST_TEXT = 64 * 1024;

/** Returns the files and programs that the statements of some texts without comments reach. */
export function statementsReach(texts: readonly string[]): Reach {
  const text = texts.join('\n').slice(0, MOST_TEXT);
  const copies = text.split(';').flatMap((statement) => COPY.exec(statement)?.slice(1) ?? []);
  return {
    written: [...found(text, WRITES), ...copies.flatMap((copy) => found(copy, [`\\bto\\b${TARGET}`]))],
    read: [...found(text, READS), ...copies.flatMap((copy) => found(copy, [`\\bfrom\\b${TARGET}`]))],
    runs: found(text, RUNS),
  };
}

const COPY = /\bcopy\b([\s\S]*)/i;

function found(text: string, patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => Array.from(text.matchAll(new RegExp(pattern, 'gim')), (match) => match[1] ?? ''));
}
