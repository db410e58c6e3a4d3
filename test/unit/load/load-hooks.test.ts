import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Dialect, Format, LoadContext } from '../../../src/core/contracts/dialect.ts';
import type { Hook, Scope } from '../../../src/core/contracts/hook.ts';
import { type Document, fieldOf } from '../../../src/core/values/document.ts';
import type { SourceFile } from '../../../src/load/find/discover.ts';
import { loadHooks } from '../../../src/load/load-hooks.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'load-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** A dialect as far as loading goes: one hook per file, named by `name`. */
function dialect(load: (document: Document, context: LoadContext) => readonly Hook[] = oneHook, maxHooks: number | null = null): Dialect {
  const part = {
    id: 'd',
    title: 'D',
    profile: { load: { maxHooks }, events: {} },
    loader: async () => (document: Document, context: LoadContext) => ({ hooks: load(document, context), diagnostics: [] }),
  };
  return part as unknown as Dialect;
}

function oneHook(document: Document, context: LoadContext): Hook[] {
  const name = fieldOf(document.root, 'name');
  return name?.kind === 'scalar' ? [hook(String(name.value), document, context)] : [];
}

function hook(name: string, document: Document, { idPrefix, scope }: LoadContext): Hook {
  return {
    id: `${idPrefix}#${name}`,
    name,
    dialect: 'd',
    event: 'e',
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: document.file, line: 2, scope },
  };
}

function source(path: string, text: string | Uint8Array, options: { dialect?: Dialect; scope?: Scope; format?: Format } = {}): SourceFile {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const { scope = 'project', format = 'frontmatter' } = options;
  const folder = dirname(file);
  return {
    file,
    dialect: options.dialect ?? dialect(),
    format,
    kind: 'hooks',
    scope,
    folder,
    folderName: basename(folder),
    idPrefix: `d:${path}`,
    trusted: scope !== 'project',
  };
}

const md = (name: string) => `---\nname: ${name}\n---\nBody\n`;
const fine = () => undefined;
const codes = (diagnostics: readonly { readonly code: string }[]) => diagnostics.map(({ code }) => code);

test('hooks come in the order of their files, with their trust and every file that was read', async () => {
  const sources = [source('a/HOOK.md', md('a'), { scope: 'user' }), source('b/HOOK.md', md('[b]')), source('c/HOOK.md', md('c'))];
  const { hooks, diagnostics, files } = await loadHooks(sources, fine);
  expect(hooks.map(({ hook: { name }, trusted, origin }) => [name, trusted, origin])).toEqual([
    ['a', true, join(top, 'a/HOOK.md')],
    ['c', false, join(top, 'c/HOOK.md')],
  ]);
  expect(diagnostics).toEqual([]);
  expect(files).toEqual(sources.map(({ file }) => file));
});

test('one bad file never takes another down', async () => {
  const throwing = dialect(() => {
    throw new Error('oops');
  });
  const gone = source('gone/HOOK.md', '');
  rmSync(gone.file);
  const { hooks, diagnostics, files } = await loadHooks(
    [
      source('a/HOOK.md', '---\nname: [x\n---\n'),
      source('b/HOOK.md', md('b'), { dialect: throwing }),
      source('c/HOOK.md', Buffer.from('---\nname: x\nwhat: \xff\n---\n', 'latin1')),
      source('d/HOOK.md', Buffer.alloc(1024 * 1024 + 1, 0x20)),
      gone,
      source('e/HOOK.md', md('e')),
    ],
    fine,
  );
  expect(hooks.map(({ hook: { name } }) => name)).toEqual(['e']);
  expect(
    diagnostics.map(({ severity, code, file, line, column }) => [severity, code, basename(dirname(file ?? '')), line, column]),
  ).toEqual([
    ['error', 'invalid-yaml', 'a', 3, 1],
    ['error', 'internal', 'b', undefined, undefined],
    ['error', 'not-text', 'c', 3, 7],
    ['error', 'file-too-large', 'd', undefined, undefined],
  ]);
  expect(diagnostics[1]?.message).toContain('oops');
  expect(files).not.toContain(gone.file);
});

test('a loader reads further files of its folder, whatever their format', async () => {
  const reading = dialect((document, context) =>
    ['x.json', 'sub/y.md', 'z.toml', 'plain.md'].flatMap((path) => {
      const format = path.endsWith('.md') ? 'frontmatter' : path.endsWith('.toml') ? 'toml' : 'json';
      const name = fieldOf(context.read(path, format)?.root, 'name');
      return name?.kind === 'scalar' ? [hook(String(name.value), document, context)] : [];
    }),
  );
  source('p/x.json', '{"name": "x"}');
  source('p/sub/y.md', '---\nname: "y\\u0021"\n---\n');
  source('p/z.toml', 'name = "z"\nname2 = 1\n');
  source('p/plain.md', md('plain'));
  const { hooks, files } = await loadHooks([source('p/plugin.json', '{}', { dialect: reading, format: 'json' })], fine);
  expect(hooks.map(({ hook: { name } }) => name)).toEqual(['x', 'y!', 'z', 'plain']);
  expect(files.map((file) => file.slice(top.length + 3)).sort()).toEqual(['plain.md', 'plugin.json', 'sub/y.md', 'x.json', 'z.toml']);
});

test('what a further file says is said once, even if the loader hands it on', async () => {
  const base = dialect();
  const handingOn: Dialect = {
    ...base,
    loader: async () => (document, context) => ({
      hooks: [],
      diagnostics: [...document.diagnostics, ...(context.read('x.json', 'json')?.diagnostics ?? [])],
    }),
  };
  source('p/x.json', '{"a": oops}');
  const { diagnostics } = await loadHooks([source('p/plugin.json', '{"a": 1, "a": 2}', { dialect: handingOn, format: 'json' })], fine);
  expect(codes(diagnostics)).toEqual(['duplicate-key', 'invalid-json']);
  expect(diagnostics[1]).toMatchObject({ file: join(top, 'p/x.json'), line: 1, column: 7 });
});

test('what reads a format is fetched once, and only where one of its files is there', async () => {
  const asked: string[] = [];
  const named = (name: string): Dialect => ({
    ...dialect(),
    async loader() {
      asked.push(name);
      return dialect().loader();
    },
  });
  const [met, missed] = [named('met'), named('missed')];
  const gone = source('gone/HOOK.md', md('gone'), { dialect: missed });
  rmSync(gone.file);
  const { hooks } = await loadHooks(
    [source('a/HOOK.md', md('a'), { dialect: met }), gone, source('b/HOOK.md', md('b'), { dialect: met })],
    fine,
  );
  expect(hooks).toHaveLength(2);
  expect(asked).toEqual(['met']);
});

test('a format that can not be fetched fails the whole load: no gate is lost unseen', async () => {
  const torn: Dialect = { ...dialect(), loader: () => Promise.reject(new Error('the file of the loader is gone')) };
  const sources = [source('a/HOOK.md', md('a')), source('b/HOOK.md', md('b'), { dialect: torn })];
  await expect(loadHooks(sources, fine)).rejects.toThrow('the loader is gone');
});

test('hooks beyond the limit of their dialect are left out, each with an error; a given limit takes its place', async () => {
  const limited = dialect(oneHook, 2);
  const sources = ['a', 'b', 'c', 'd'].map((name) => source(`${name}/HOOK.md`, md(name), { dialect: limited }));
  const { hooks, diagnostics } = await loadHooks(sources, fine);
  expect(hooks.map(({ hook: { name } }) => name)).toEqual(['a', 'b']);
  expect(diagnostics).toMatchObject([
    { severity: 'error', code: 'too-many-hooks', file: join(top, 'c/HOOK.md'), line: 2 },
    { severity: 'error', code: 'too-many-hooks', file: join(top, 'd/HOOK.md') },
  ]);
  expect(diagnostics[0]?.message).toContain('2 hooks');
  expect((await loadHooks(sources, fine, 3)).hooks).toHaveLength(3);
  expect((await loadHooks([source('x/HOOK.md', md('x')), source('y/HOOK.md', md('y'))], fine, 1)).hooks).toHaveLength(2);
});

test('two hooks of one name in different scopes are both kept, and that is said', async () => {
  const sources = [
    source('u/HOOK.md', md('gate'), { scope: 'user' }),
    source('p/HOOK.md', md('gate')),
    source('q/HOOK.md', md('gate')),
    source('r/HOOK.md', md('other')),
  ];
  const { hooks, diagnostics } = await loadHooks(sources, fine);
  expect(hooks).toHaveLength(4);
  expect(diagnostics).toMatchObject([{ severity: 'info', code: 'same-name', file: join(top, 'p/HOOK.md'), line: 2 }]);
  expect((await loadHooks(sources.slice(1), fine)).diagnostics).toEqual([]);
});

test('a thousand hooks are no more of a matter than one', async () => {
  const sources = Array.from({ length: 1000 }, (_, i) =>
    source(
      `h${i}/HOOK.md`,
      `---\nname: h${i}\ndescription: A test hook.\ntrigger: before_tool\nmatcher:\n  tool: Shell\n---\n${'Body\n'.repeat(50)}`,
    ),
  );
  const { hooks, diagnostics } = await loadHooks(sources, fine);
  expect([hooks.length, diagnostics]).toEqual([1000, []]);
});
