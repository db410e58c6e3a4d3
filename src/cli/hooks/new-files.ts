/** The files of a new hook: those of its format, its test, and the schemas that they name. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Agent } from '../../core/contracts/agent.ts';
import type { Scaffold, ScaffoldFile, WriteScaffold } from '../../core/contracts/dialect.ts';
import { schema as testSchema } from '../../hooktest/schema.ts';
import { readConfig, writeConfig } from '../../install/config-file.ts';
import { CommandError, EXIT } from '../command.ts';
import { jsonDocument } from '../output.ts';
import { editorFiles } from './editor-files.ts';
import { type Added, addEntry, type NotAdded } from './new-entry.ts';

/** The folder of schemas for editors, below the project or the home. */
const SCHEMAS = '.hookline/schemas';

export interface NewHook {
  readonly files: readonly ScaffoldFile[];
  readonly test: string;
  /** The file of the hook, if other hooks can be in it or next to it, which its test must not ask. */
  readonly among?: string;
  /** Files that may be there already, because they are the same for every hook. */
  readonly shared: readonly ScaffoldFile[];
}

/** @param isThere whether a file of the hook exists */
export async function newHook(agent: Agent, name: string, write: WriteScaffold, isThere: (file: string) => boolean): Promise<NewHook> {
  const named = new Set<string>();
  const schemaFrom = (id: string) => (from: string) => {
    const file = `${from.startsWith('~/') ? '~/' : ''}${SCHEMAS}/${id}.json`;
    named.add(file);
    const relative = path.posix.relative(path.posix.dirname(from), file);
    return relative.startsWith('.') ? relative : `./${relative}`;
  };
  const made = write(name, schemaFrom(agent.id));
  // A file that hooks share gets more of them later, so the test of each has its name and asks it alone.
  const common = made.files.find(({ entry }) => entry)?.path;
  const testPath = common === undefined ? made.test : `${path.posix.dirname(made.test)}/${name}.hooktest.yaml`;
  const test = { path: testPath, text: testText(agent, made, schemaFrom('hooktest')(testPath)) };
  const shared: ScaffoldFile[] = [...(made.isTyped ? editorFiles() : [])];
  for (const file of named) {
    const schema = path.basename(file) === 'hooktest.json' ? testSchema() : await agent.dialect.schema?.();
    if (schema) shared.push({ path: file, text: jsonDocument(schema) });
  }
  const files = made.files.map((file) => ({ ...file, path: freePath(file, isThere) }));
  const among = files.find(({ elsewhere }) => elsewhere)?.path ?? common;
  return { files: [...files, test], test: testPath, shared, ...(among !== undefined && { among }) };
}

function freePath({ path: first, elsewhere = [] }: ScaffoldFile, isThere: (file: string) => boolean): string {
  return [first, ...elsewhere].find((one) => !isThere(one)) ?? first;
}

function testText({ id, host }: Agent, { tool }: Scaffold, schema: string): string {
  const aCase = (name: string, command: string, expected: readonly string[]): string[] => [
    ...[`  - name: ${name}`, '    event: tool.before', `    tool: ${tool}`, `    input: { command: ${command} }`],
    ...['    expect:', ...expected.map((line) => `      ${line}`)],
  ];
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    ...(host ? [`hosts: [${id}]`] : []),
    'cases:',
    ...aCase('denies a force push', 'git push --force', ['decision: deny', 'reason: /force push/i', 'clean: true']),
    ...aCase('has no opinion on a plain push', 'git push', ['decision: pass']),
  ];
  return `${lines.join('\n')}\n`;
}

export interface WrittenNew {
  /** The files that are new. */
  readonly files: readonly string[];
  /** The entry in a file that was there before, or why there is none. */
  readonly entry?: { readonly file: string; readonly result: Added | NotAdded; readonly snippet: string };
}

/** Writes the files. A file that exists is never changed, unless hooks share it: it gets the entry. Then nothing else in it changes. */
export function writeNew({ files: all, shared }: NewHook, root: string, home: string): WrittenNew {
  const at = (file: string): string => (file.startsWith('~/') ? path.join(home, file.slice(2)) : path.join(root, file));
  const common = all.find(({ path: name, entry }) => entry && existsSync(at(name)));
  const files = all.filter((file) => file !== common);
  const taken = files.find((file) => existsSync(at(file.path)));
  if (taken) {
    const message = `The file ${at(taken.path)} exists, so nothing was written.`;
    throw new CommandError({
      exit: EXIT.negative,
      code: 'usage',
      message,
      hint: 'Choose another name, or add the hook to the file by hand.',
    });
  }
  const entry = common && addTo(at(common.path), common, common.path.startsWith('~/') ? home : root);
  const missing = shared.filter((file) => !existsSync(at(file.path)));
  for (const file of [...files, ...missing]) {
    mkdirSync(path.dirname(at(file.path)), { recursive: true });
    writeFileSync(at(file.path), file.text, { mode: file.text.startsWith('#!') ? 0o755 : 0o644, flag: 'wx' });
  }
  return { files: [...files, ...missing].map((file) => at(file.path)), ...(entry && { entry }) };
}

function addTo(file: string, { entry, text }: ScaffoldFile, bounds: string): NonNullable<WrittenNew['entry']> {
  const shared = entry as NonNullable<ScaffoldFile['entry']>;
  const snippet = 'list' in shared ? shared.table : text;
  const config = readConfig(file, bounds);
  if ('severity' in config) return { file, snippet, result: { problem: config.message, line: 1, column: 1 } };
  const result = addEntry(file, config.text ?? '', shared);
  if ('problem' in result) return { file, snippet, result };
  const isWritten = writeConfig({ config, text: result.text, backup: false, mode: 0o644 });
  return { file, snippet, result: isWritten ? result : { problem: 'The file changed meanwhile.', line: 1, column: 1 } };
}

/** Makes the test ask one hook of a file that has several. */
export function nameInTest(test: string, hook: string): void {
  writeFileSync(test, readFileSync(test, 'utf8').replace(/^cases:$/m, `hook: ${JSON.stringify(hook)}\ncases:`));
}
