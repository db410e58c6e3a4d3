/** The laws of the tree: which room imports which, and that shared code names no agent, has no clock and no chance. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../src/builtins.ts';

interface Source {
  readonly name: string;
  readonly text: string;
}

interface Import {
  readonly from: string;
  /** A file below src/, or the name of a module. */
  readonly to: string;
}

const project = path.join(import.meta.dirname, '..');
const NODE = /^node:(fs|path|os|url|util|crypto|buffer|string_decoder)(\/|$)/;

/** A room, or a part of one with a law of its own, and what its files may import in addition to their own folder. The first row that fits counts. */
const ROOMS: readonly (readonly [room: string, mayImport: readonly (string | RegExp)[]])[] = [
  ['core/', []],
  ['engine/select/', ['core/', /^re2js$/, /^node:module$/]],
  ['engine/receive/', ['core/', 'engine/ports.ts', 'engine/hook-set.ts']],
  ['engine/ask/', ['core/', 'engine/ports.ts', 'engine/hook-set.ts', 'engine/select/']],
  ['engine/decide/', ['core/', 'engine/ports.ts', 'engine/hook-set.ts', 'engine/select/', 'engine/ask/']],
  ['engine/answer/', ['core/', 'engine/ports.ts', 'engine/receive/']],
  ['engine/record/', ['core/', 'engine/ports.ts']],
  ['engine/', ['core/']],
  ['handlers/guard.ts', ['core/', 'guard/', 'handlers/kit/', NODE]],
  ['handlers/worker/', ['core/', 'handlers/kit/', 'handlers/command/', 'syntax/', /^node:/]],
  ['handlers/', ['core/', /^node:/]],
  ['agents/kit/', ['core/']],
  ['agents/', ['core/', 'agents/kit/']],
  // The module that hooks import, and the program that runs them: a worker has no other part of Hookline.
  [
    'hook/',
    [
      'core/',
      'agents/hookline/answer.ts',
      'agents/hookline/answer-types.ts',
      'handlers/kit/lines.ts',
      'handlers/worker/protocol.ts',
      /^node:/,
    ],
  ],
  // The syntax of hooks that are programs, for the two rooms that read them.
  ['syntax/', ['core/', /^@babel\/parser$/]],
  ['load/', ['core/', 'syntax/', 'engine/select/compile.ts', NODE, /^(yaml|jsonc-parser|smol-toml|chokidar)$/]],
  ['trust/', ['core/', 'load/', 'guard/', 'stores/session-notes.ts', 'engine/ports.ts', NODE]],
  ['guard/', ['core/', NODE, /^unbash$/]],
  // A judge asks the model that it is given, and reads only what the guard does not keep secret.
  ['judges/', ['core/', 'handlers/model.ts', 'guard/shell/flow/secret-path.ts', NODE]],
  ['people/', ['core/', 'engine/ports.ts', 'engine/decide/ticket.ts', 'stores/keep-newest.ts', /^node:/]],
  ['stores/', ['core/', /^node:/, /^(pg|better-sqlite3|graphile-worker)$/]],
  // The stores are imported for their connections alone: the views never write to the log.
  ['views/', ['core/', 'stores/sqlite/database.ts', 'stores/postgres/database.ts', /^node:(fs|os|path|crypto)$/, /^pg$/]],
  // The dashboard only reads and settles. The hooks, the gate and the guard are handed in.
  [
    'ui/',
    [
      'core/',
      'views/',
      'engine/plan.ts',
      'engine/record/',
      'engine/decide/ticket.ts',
      /^node:(http|net|zlib|crypto|fs|path|events|timers\/promises)$/,
    ],
  ],
  ['install/', ['core/', 'load/', 'engine/answer/', 'stores/session-notes.ts', NODE, /^jsonc-parser$/]],
  ['server/', ['core/', NODE, /^node:(http|net)$/]],
  ['sdk/kit/', ['core/', 'api/hookline.ts', 'engine/receive/events.ts']],
  [
    'mcp/proxy/',
    ['core/', 'api/hookline.ts', 'load/find/read-text.ts', 'sdk/kit/', 'trust/kept-texts.ts', 'handlers/command/kill-group.ts', /^node:/],
  ],
  [
    'mcp/',
    ['core/', 'server/authorize.ts', 'server/request.ts', 'server/response.ts', /^node:/, /^@modelcontextprotocol\/server(\/stdio)?$/],
  ],
  ['sdk/mastra/', ['core/', 'sdk/kit/', 'api/hookline.ts', /^node:(async_hooks|module)$/]],
  // An adapter gets its engine from the user, so it imports types alone from `api/`, and of packages only its own SDK.
  ['sdk/', ['core/', 'sdk/kit/', 'api/hookline.ts', /^(?!node:|.*\.ts$)[a-z@]/]],
  // An agent is a user of the library, so it gets an engine like any other. The AI SDK is handed in everywhere but in one file.
  ['runtime/models/', ['core/', 'load/find/home.ts', NODE]],
  ['runtime/channels/', ['core/', 'runtime/contract.ts', NODE, /^node:(http|net|readline|stream)$/]],
  ['runtime/schedule/', ['core/', 'runtime/contract.ts', NODE]],
  [
    'runtime/',
    [
      'core/',
      'sdk/',
      'load/',
      'engine/receive/events.ts',
      'stores/sqlite/database.ts',
      'stores/postgres/database.ts',
      'api/',
      NODE,
      /^ai$/,
    ],
  ],
  // The suite of an adapter performs jobs with an engine that its author creates.
  ['api/testing/describe-adapter.ts', ['core/', 'api/testing/', 'sdk/kit/capabilities.ts']],
  ['api/testing/adapter-job.ts', ['core/', 'api/testing/', 'api/hookline.ts', 'api/options.ts', 'agents/hookline/index.ts']],
  ['api/testing/index.ts', ['api/testing/', 'sdk/kit/capabilities.ts', 'hooktest/test-hook.ts']],
  // The contract of a host is that its hooks would read Hookline's answers as they were meant, so its suite makes real answers.
  ['api/testing/describe-host.ts', ['core/', 'api/testing/', 'engine/answer/']],
  ['api/testing/', ['core/']],
  // Tests of hooks run through the library and the path of an agent's call.
  ['hooktest/', ['core/', 'api/', 'builtins.ts', 'engine/', 'load/', NODE, /^node:child_process$/]],
  ['api/', [/^(?!(cli|server)\/)/]],
  ['cli/', [/^/]],
  ['builtins.ts', ['core/', 'agents/', 'handlers/', 'stores/', 'people/notifiers/']],
];

/** The public entries are at the top, and only re-export. */
const ENTRIES = readdirSync(path.join(project, 'src')).filter((name) => name.endsWith('.ts') && name !== 'builtins.ts');

/** Imports that still point against the arrows. The list only shrinks. */
const STILL_AGAINST: readonly string[] = [];

const sources = readSources('src');
const imports = sources.flatMap(importsOf);

test('every import keeps to the edges of the design', () => {
  expect(sources.filter(({ name }) => !roomOf(name) && !ENTRIES.includes(name)).map(({ name }) => name)).toEqual([]);
  expect(
    imports
      .filter(isForbidden)
      .map(({ from, to }) => `${from} → ${to}`)
      .sort(),
  ).toEqual(STILL_AGAINST);
});

test('an import that leaves them would be found', () => {
  const forbidden: readonly Import[] = [
    { from: 'core/values/json.ts', to: 'node:fs' },
    { from: 'core/contracts/hook.ts', to: 'engine/ports.ts' },
    { from: 'engine/ports.ts', to: 'agents/arawn/index.ts' },
    { from: 'engine/ask/firing.ts', to: 'engine/decide/settle.ts' },
    { from: 'agents/arawn/wire.ts', to: 'agents/hooktoml/profile.ts' },
    { from: 'agents/arawn/load.ts', to: 'yaml' },
    { from: 'handlers/http/index.ts', to: 'guard/judge.ts' },
    { from: 'api/options.ts', to: 'cli/command.ts' },
    { from: 'views/follower.ts', to: 'stores/sqlite/log.ts' },
    { from: 'ui/server.ts', to: 'node:child_process' },
    { from: 'ui/routes/hooks.ts', to: 'trust/admission.ts' },
    { from: 'sdk/kit/gate.ts', to: 'api/create-hookline.ts' },
    { from: 'sdk/kit/gate.ts', to: 'ai' },
    { from: 'sdk/plain/wrap-tool.ts', to: 'sdk/ai/index.ts' },
    { from: 'sdk/plain/wrap-tool.ts', to: 'node:fs' },
    { from: 'mcp/server/server.ts', to: 'builtins.ts' },
    { from: 'mcp/proxy/proxy.ts', to: '@modelcontextprotocol/client' },
    { from: 'api/testing/suite.ts', to: 'vitest' },
  ];
  expect(forbidden.filter((one) => !isForbidden(one))).toEqual([]);
});

test('a public entry only re-exports', () => {
  const others = sources
    .filter(({ name }) => ENTRIES.includes(name))
    .filter(
      ({ text }) =>
        withoutComments(text)
          .replace(/^export (?:type )?(?:\{[^}]*\}|\*) from '[^']+';$/gm, '')
          .trim() !== '',
    );
  expect(others.map(({ name }) => name)).toEqual([]);
});

test('an adapter imports types alone from the library, and no other adapter', () => {
  const atRunTime = inRooms('sdk/').flatMap(({ name, text }) => importsOf({ name, text: withoutTypes(text) }));
  expect(atRunTime.filter(({ to }) => /^(api|engine)\//.test(to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('no file imports itself through others', () => {
  const runTime = new Map<string, string[]>();
  for (const { name, text } of sources)
    runTime.set(
      name,
      importsOf({ name, text: withoutTypes(text) }).map(({ to }) => to),
    );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, trail: readonly string[]): void => {
    if (trail.includes(name)) cycles.push([...trail.slice(trail.indexOf(name)), name].join(' → '));
    if (trail.includes(name) || done.has(name)) return;
    for (const next of runTime.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of runTime.keys()) visit(name, []);
  expect(cycles).toEqual([]);
});

test('no agent is named in shared code', () => {
  const others = AGENTS.filter(({ id }) => id !== 'hookline');
  const names = new Set(others.flatMap(({ id, title }) => [id, title]));
  const paths = others
    .flatMap(({ places }) =>
      places.flatMap(({ path: folder, find }) => [folder, ...(/^(?:ending|endings|named)$/.test(find.kind) ? [] : [find.file])]),
    )
    .filter((one) => one.startsWith('.'));
  expect(names.size).toBeGreaterThan(20);
  expect(paths.length).toBeGreaterThan(20);
  const words = [...names, ...new Set(paths)];
  const patterns = words.map((word) => ({ word, pattern: new RegExp(`(?<![\\w-])${escaped(word)}(?![\\w-])`) }));
  const named = inRooms('core/', 'engine/', 'load/', 'trust/', 'server/').flatMap(({ name, text }) =>
    patterns.filter(({ pattern }) => pattern.test(text)).map(({ word }) => `${name}: ${word}`),
  );
  expect(named).toEqual([]);
});

test('the core has no clock, no chance, no process and no Node', () => {
  const worldly = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\b|(?<!\.)\bprocess\.|\bsetTimeout\b|\bfetch\(|['"]node:/;
  const core = inRooms('core/');
  expect(core.length).toBeGreaterThan(10);
  expect(core.filter(({ text }) => worldly.test(withoutComments(text))).map(({ name }) => name)).toEqual([]);
});

test('a file is one concept: at most 400 lines', () => {
  expect(sources.filter(({ text }) => text.split('\n').length > 401).map(({ name }) => name)).toEqual([]);
});

test('a folder has at most 18 files', () => {
  const sizes = new Map<string, number>();
  for (const { name } of sources) sizes.set(path.dirname(name), (sizes.get(path.dirname(name)) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size > 18)).toEqual([]);
});

function isForbidden({ from, to }: Import): boolean {
  if (ENTRIES.includes(from)) return false;
  const room = roomOf(from);
  if (!room) return true;
  const [prefix, mayImport] = room;
  const own =
    prefix === 'agents/' || prefix === 'sdk/'
      ? from.split('/').slice(0, 2).join('/')
      : prefix === 'engine/'
        ? 'engine'
        : prefix.replace(/\/$/, '');
  if (to === own || to.startsWith(`${own}/`)) return false;
  return !mayImport.some((allowed) =>
    typeof allowed === 'string' ? to === allowed || (allowed.endsWith('/') && to.startsWith(allowed)) : allowed.test(to),
  );
}

function roomOf(name: string): (typeof ROOMS)[number] | undefined {
  return ROOMS.find(([room]) => name === room || (room.endsWith('/') && name.startsWith(room)));
}

/** All imports are literal, so a pattern reads them: static ones, re-exports, those on demand and those of types. */
function importsOf({ name, text }: Source): Import[] {
  const specifiers = [
    ...withoutTemplates(text).matchAll(/^(?:import|export)\b[^'";]*?\bfrom '([^']+)';|^import '([^']+)';|\bimport\(\s*'([^']+)'\s*\)/gms),
  ];
  return specifiers.map((found) => {
    const specifier = found[1] ?? found[2] ?? found[3] ?? '';
    return { from: name, to: specifier.startsWith('.') ? path.join(path.dirname(name), specifier) : specifier };
  });
}

/** A template may hold the text of a program that has imports of its own. */
function withoutTemplates(text: string): string {
  return text.replace(/= `(?:\\.|[^`\\])*`/g, '');
}

function withoutTypes(text: string): string {
  return text.replace(/^(import|export) type\b[^;]*;/gm, '').replace(/\bimport\([^)]*\)/g, '');
}

function inRooms(...rooms: readonly string[]): Source[] {
  return sources.filter(({ name }) => rooms.some((room) => name.startsWith(room)));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function readSources(folder: string): Source[] {
  return readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(path.join(project, folder, name), 'utf8') }));
}
