/**
 * The path of one event has one direction: receive, select, ask, decide, answer, record, each once. The sources are emitted one by one, the
 * real command runs in a process of its own, and the coverage of V8 shows which functions ran, and how often.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/patience.ts';

const project = path.join(import.meta.dirname, '../..');
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-way-')));
const program = path.join(base, 'program');
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Files in which an event makes a function run, once the program has started and the audit of the hook is remembered. */
const MOST_FILES = { denied: 81, silent: 30 };
/** Files that a start of the program loads for a call that is known to concern no hook. */
const MOST_LOADED = 30;

beforeAll(() => {
  mkdirSync(program);
  const compilerOptions = {
    ...{ noEmit: false, noCheck: true, allowImportingTsExtensions: false, declaration: false, declarationMap: false, sourceMap: false },
    ...{ rootDir: path.join(project, 'src'), outDir: path.join(program, 'src'), typeRoots: [path.join(project, 'node_modules/@types')] },
  };
  const config = { extends: path.join(project, 'tsconfig.json'), compilerOptions, include: [path.join(project, 'src')] };
  writeFileSync(path.join(program, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [path.join(project, 'node_modules/typescript/bin/tsc'), '-p', path.join(program, 'tsconfig.json')]);
  cpSync(path.join(project, 'package.json'), path.join(program, 'package.json'));
  symlinkSync(path.join(project, 'node_modules'), path.join(program, 'node_modules'));
  writeFileSync(path.join(program, 'preload.cjs'), PRELOAD);
  writeFileSync(path.join(program, 'start.js'), "import { main } from './src/cli/main.js';\n\nawait main(process.argv.slice(2));\n");
  // The start of the program is one report, the event another.
  const command = path.join(program, 'src/cli/run/hook.js');
  const text = readFileSync(command, 'utf8');
  const [start, event, ...more] = text.split(/^(?= *const answer = createHostAnswerer\()/m);
  expect({ event: event !== undefined, more }).toEqual({ event: true, more: [] });
  writeFileSync(command, `${start}process.getBuiltinModule('node:v8').takeCoverage();\n${event}`);
}, 240_000);

/** Notes, when the first byte of an answer is written, how many entries another connection finds in the log. */
const PRELOAD = `
globalThis.__HOOKLINE_BUILD__ = 'one way';
const fs = require('node:fs');
const { writeSync } = fs;
let isFirst = true;
fs.writeSync = (to, ...rest) => {
  if (isFirst && (to === 1 || to === 2)) {
    isFirst = false;
    fs.writeFileSync(process.env.NOTED, String(entries()));
  }
  return writeSync(to, ...rest);
};
require('node:module').syncBuiltinESMExports();
function entries() {
  const Database = require('better-sqlite3');
  const database = new Database(process.env.LOG, { readonly: true });
  try {
    return database.prepare('SELECT count(*) AS n FROM audit').get().n;
  } finally {
    database.close();
  }
}
`;

interface Run {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Entries in the log when the answer was written; undefined if nothing was. */
  readonly noted: string | undefined;
  /** Files in which the event made a function run, each with its functions and how often they did. */
  readonly ran: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** One event of Claude Code, for the user who has a hook of another format on shell commands. */
function hook(tool: string): Run {
  const { start, place, home, log, noted, coverage } = prepare(tool);
  // A file of the future proves nothing, so the event is judged and not remembered.
  const future = new Date(Date.now() + 3_600_000);
  utimesSync(path.join(home, '.config/agents/hooks/gate/HOOK.md'), future, future);
  // The first event audits the hook, and Hookline remembers that it passed.
  start(path.join(place, 'first.db'), {});
  rmSync(noted, { force: true });
  const { status, stdout, stderr } = start(log, { NODE_V8_COVERAGE: coverage });
  return { exit: status, stdout, stderr, noted: textIn(noted), ran: causedBy(readCoverage(coverage), place) };
}

function prepare(tool: string) {
  const place = mkdtempSync(path.join(base, 'run-'));
  const [home, root, coverage, log, noted] = ['home', 'root', 'coverage', 'log.db', 'noted'].map((name) => path.join(place, name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const gate = path.join(home, '.config/agents/hooks/gate');
  mkdirSync(path.join(gate, 'scripts'), { recursive: true });
  mkdirSync(root);
  const head = 'name: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: Bash';
  writeFileSync(path.join(gate, 'HOOK.md'), `---\n${head}\n---\n`);
  const script = '#!/bin/sh\nprintf \'{"decision":"deny","reason":"Not today."}\'\n';
  writeFileSync(path.join(gate, 'scripts/run.sh'), script, { mode: 0o755 });
  const input = JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', session_id: 's1', cwd: root, tool_use_id: 'u1' },
    ...{ tool_name: tool, tool_input: { command: 'ls' } },
  });
  const argv = ['--require', path.join(program, 'preload.cjs'), path.join(program, 'start.js'), 'hook', 'claude-code'];
  const start = (store: string, env: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, [...argv, '--home', home, '--root', root, '--store', `sqlite:${store}`], {
      ...{ input, cwd: root, encoding: 'utf8' as const },
      env: { PATH: process.env['PATH'], HOME: home, LOG: store, NOTED: noted, ...env },
    });
  return { start, place, home, log, noted, coverage };
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { startOffset: number; count: number }[] }[];
}

interface Called {
  readonly name: string;
  readonly at: number;
  readonly count: number;
}

/** The functions that ran since the last report, by file. */
function readCoverage(folder: string): Map<string, readonly Called[]> {
  const top = `file://${path.join(program, 'src')}/`;
  // The last part of a report's name counts.
  const last =
    readdirSync(folder)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .at(-1) ?? '';
  const { result } = JSON.parse(readFileSync(path.join(folder, last), 'utf8')) as { readonly result: readonly Script[] };
  const files = result.filter(({ url }) => url.startsWith(top));
  const calledIn = ({ functions }: Script): Called[] =>
    functions.map(({ functionName: name, ranges: [whole] }) => ({ name, at: whole?.startOffset ?? 0, count: whole?.count ?? 0 }));
  return new Map(files.map((script) => [script.url.slice(top.length), calledIn(script)]));
}

/** The functions that the event made run. A module that is loaded on demand runs functions while it is loaded: they are none of the event's. */
function causedBy(ran: ReadonlyMap<string, readonly Called[]>, place: string): Map<string, Map<string, number>> {
  const coverage = path.join(place, 'loaded');
  const onDemand = [...ran].filter(([, functions]) => functions.some(isBody)).map(([file]) => `file://${path.join(program, 'src', file)}`);
  const load = `for (const url of ${JSON.stringify(onDemand)}) await import(url);`;
  const env = { PATH: process.env['PATH'], HOME: place, NODE_V8_COVERAGE: coverage };
  execFileSync(process.execPath, ['--input-type=module', '--eval', load], { cwd: place, env });
  const loaded = readCoverage(coverage);
  const caused = new Map<string, Map<string, number>>();
  for (const [file, functions] of ran) {
    const before = new Map(functions.some(isBody) ? loaded.get(file)?.map(({ at, count }) => [at, count]) : []);
    const more = new Map<string, number>();
    for (const { name, at, count } of functions) {
      const times = count - (before.get(at) ?? 0);
      if (times > 0) more.set(name, (more.get(name) ?? 0) + times);
    }
    if (more.size > 0) caused.set(file, more);
  }
  return caused;
}

function isBody({ name, at, count }: Called): boolean {
  return name === '' && at === 0 && count > 0;
}

test('an event that a hook denies goes through every stage once, and is recorded before it is answered', () => {
  const { exit, stdout, stderr, noted, ran } = hook('Bash');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'Not today.' } });
  const times = (file: string, name: string): number | undefined => ran.get(file)?.get(name);
  expect({
    decodeEvent: times('agents/claude-code/wire.js', 'decodeEvent'),
    judge: times('engine/engine.js', 'judge'),
    askHook: times('engine/ask/ask-hook.js', 'askHook'),
    decide: times('engine/decide/settle.js', 'decide'),
    degrade: times('engine/answer/degrade.js', 'degrade'),
    encodeAnswer: times('engine/answer/encode.js', 'encodeAnswer'),
    record: times('engine/record/recorder.js', 'record'),
    addAlone: times('stores/sqlite/chain.js', 'addAlone'),
  }).toEqual({ decodeEvent: 1, judge: 1, askHook: 1, decide: 1, degrade: 1, encodeAnswer: 1, record: 1, addAlone: 1 });
  expect(noted).toBe('1');
  expect(ran.size, [...ran.keys()].sort().join('\n')).toBeLessThanOrEqual(MOST_FILES.denied);
});

test('an event that no hook applies to runs no hook, prints nothing and opens no store', () => {
  const { exit, stdout, stderr, noted, ran } = hook('Read');
  expect({ exit, stdout, stderr, noted }).toEqual({ exit: 0, stdout: '', stderr: '', noted: undefined });
  expect(ran.get('agents/claude-code/wire.js')?.get('decodeEvent')).toBe(1);
  const later = [...ran.keys()].filter((file) =>
    /^(engine\/(ask\/ask-hook|decide\/hold|decide\/ticket)|guard\/|handlers\/(command|http)|stores\/sqlite)/.test(file),
  );
  expect(later).toEqual([]);
  expect(ran.get('engine/answer/degrade.js')?.get('degrade')).toBeUndefined();
  expect(ran.size, [...ran.keys()].sort().join('\n')).toBeLessThanOrEqual(MOST_FILES.silent);
});

test('an event that is known to concern no hook loads neither the engine nor an agent, a format or a guard', async () => {
  const { start, home, log, coverage } = prepare('Read');
  const memory = path.join(home, '.local/state/hookline/memory');
  // A file that was changed just now proves nothing, so the first events are judged.
  await until(() => {
    start(log, {});
    return existsSync(memory) && readdirSync(memory).some((name) => name.startsWith('silence-'));
  });
  const { status, stdout, stderr } = start(log, { NODE_V8_COVERAGE: coverage });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  const loaded = [...readCoverage(coverage).keys()].sort();
  expect(loaded).toContain('cli/run/quiet-call.js');
  expect(loaded.filter((file) => /^(engine|agents|handlers|guard|trust|api|install)\/|^load\/formats|^builtins/.test(file))).toEqual([]);
  expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(MOST_LOADED);
});
