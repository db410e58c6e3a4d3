/** The schemas of hook files agree with the loaders: an editor marks what a loader reports, and nothing that it reads without a word. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import type { Dialect, Format, LoadContext, LoadFile } from '../../../src/core/contracts/dialect.ts';
import type { Diagnostic } from '../../../src/core/values/diagnostic.ts';
import { type Document, toJson } from '../../../src/core/values/document.ts';
import type { Json } from '../../../src/core/values/json.ts';
import { checkPattern } from '../../../src/engine/select/compile.ts';
import { loadFormat } from '../../../src/load/formats/index.ts';
import { parseJson } from '../../../src/load/formats/json.ts';
import { GOOD_FILES } from './good-files.ts';
import { mutants, undescribed } from './mutants.ts';

/** Problems that a schema can state. Others need more than the file, or more than its form. */
const OF_FORM = ['wrong-type', 'missing-field', 'unknown-type', 'unknown-field', 'unknown-event', 'out-of-range', 'too-many-actions'];
const CONTEXT: LoadContext = {
  ...{ scope: 'user', folder: '/p/gate', folderName: 'gate', idPrefix: 'x', ownTypes: new Set(['guard']), checkPattern },
  read: () => undefined,
  stat: (file) => (/run\.sh$/.test(file) ? { kind: 'file', executable: true } : undefined),
};

const formats = AGENTS.map(({ dialect }) => dialect).filter(({ schema }) => schema !== undefined);

test('every format whose hooks are files has a schema, and a good file', () => {
  const inFiles = AGENTS.filter(({ places }) => places.some(({ kind, format }) => kind !== 'code' && format !== 'program'));
  expect(formats.map(({ id }) => id)).toEqual(inFiles.map(({ dialect }) => dialect.id));
  expect(Object.keys(GOOD_FILES).sort()).toEqual(formats.map(({ id }) => id).sort());
});

describe.each(formats)('$id', (dialect) => {
  test('every field of the schema has a description', async () => {
    expect(undescribed((await dialect.schema?.()) ?? {})).toEqual([]);
  });

  test('the schema refuses what the loader reports, in every place of a file', async () => {
    const { accepts, problemsOf, good } = await both(dialect);
    expect([problemsOf(good), accepts(good)]).toEqual([[], true]);
    const missed = mutants(good).filter(({ value }) => problemsOf(value).some(({ code }) => OF_FORM.includes(code)) && accepts(value));
    expect(missed.map(({ change, value }) => `${change}: ${problemsOf(value)[0]?.message}`)).toEqual([]);
  });
});

test('the schemas accept the files of the documents that are read without a word, and refuse the others that have a problem of form', async () => {
  const cases = JSON.parse(readFileSync(path.join(import.meta.dirname, '../conformance/cases.json'), 'utf8')) as readonly {
    readonly system: string;
    readonly config: Readonly<Record<string, string>>;
  }[];
  let [silent, reported] = [0, 0];
  const wrong: string[] = [];
  for (const { system, config } of cases)
    for (const [file, text] of Object.entries(config)) {
      const dialect = formats.find(({ id }) => id === system);
      const format = FORMAT_OF.find(([pattern]) => pattern.test(file))?.[1];
      if (!dialect || !format || /plugin\.json$/.test(file)) continue;
      const document = await (await loadFormat(format))(file, text);
      if (document.diagnostics.length > 0 || !document.root) continue;
      const problems = await problemsIn(dialect, document, file);
      const accepted = (await validator(dialect))(toJson(document.root));
      if (problems.length === 0) silent++;
      else if (problems.some(({ code }) => OF_FORM.includes(code))) reported++;
      else continue;
      if (accepted !== (problems.length === 0)) wrong.push(`${system} ${file}: ${problems[0]?.message ?? 'refused'}\n${text}`);
    }
  expect(wrong).toEqual([]);
  expect(silent).toBeGreaterThan(300);
  expect(reported).toBeGreaterThan(5);
});

const FORMAT_OF: readonly (readonly [RegExp, Format])[] = [
  [/\.json$/, 'json'],
  [/\.toml$/, 'toml'],
  [/\.md$/, 'frontmatter'],
];

async function both(dialect: Dialect) {
  const { file, value: good } = GOOD_FILES[dialect.id] ?? { file: '', value: null };
  const validate = await validator(dialect);
  const load = await dialect.loader();
  const problemsOf = (value: Json): readonly Diagnostic[] =>
    problems(load, dialect, parseJson(`/p/gate/${file}`, JSON.stringify(value, null, 1)));
  return { good, accepts: (value: Json): boolean => validate(value), problemsOf };
}

async function problemsIn(dialect: Dialect, document: Document, file: string): Promise<readonly Diagnostic[]> {
  return problems(await dialect.loader(), dialect, { ...document, file: `/p/gate/${path.basename(file)}` });
}

/** A plugin's file is read through its manifest. */
function problems(load: LoadFile, { id }: Dialect, document: Document): readonly Diagnostic[] {
  const inPlugin = id === 'arawn';
  const manifest = parseJson('/p/gate/.claude-plugin/plugin.json', '{"name": "gate"}');
  const context = inPlugin ? { ...CONTEXT, read: (file: string) => (file === 'hooks/hooks.json' ? document : undefined) } : CONTEXT;
  return load(inPlugin ? manifest : document, context).diagnostics.filter(
    ({ severity, code }) => severity !== 'info' && code !== 'name-mismatch' && code !== 'loose-shape',
  );
}

const validators = new Map<string, ValidateFunction>();

async function validator(dialect: Dialect): Promise<ValidateFunction> {
  const known = validators.get(dialect.id);
  if (known) return known;
  const made = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile((await dialect.schema?.()) ?? {});
  validators.set(dialect.id, made);
  return made;
}
