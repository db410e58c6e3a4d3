/** Reads a file of tests. Everything that is wrong has its position, and a file with an error runs no case. */
import type { Dialect } from '../core/contracts/dialect.ts';
import type { DecisionKind } from '../core/decision/decision.ts';
import type { FaultKind } from '../core/decision/reply.ts';
import { type Entry, entryOf, kindName, type MapNode, type Node, toJson } from '../core/values/document.ts';
import { HooklineError } from '../core/values/errors.ts';
import { isObject, type Json, type JsonObject } from '../core/values/json.ts';
import { type Problems, problemsIn } from '../core/values/read-document.ts';
import { suggest } from '../core/values/suggest.ts';
import { dialectNamed, kindNamed, nativeNamed } from '../engine/receive/events.ts';
import { parseYaml } from '../load/formats/yaml.ts';
import type { Expected, ExpectedAnswer, GivenEvent, TestCase, TestFile, TextTest } from './test-file.ts';

export const DECISIONS: readonly DecisionKind[] = ['pass', 'allow', 'ask', 'hold', 'deny'];
const FAULTS: Readonly<Record<FaultKind, true>> = {
  ...{ oversize: true, unavailable: true, timeout: true, spawn: true, signal: true, exit: true, network: true },
  ...{ status: true, malformed: true, threw: true, cancelled: true, depth: true, changed: true },
};

export const FAULT_KINDS: readonly string[] = Object.keys(FAULTS);

const KEYS = {
  file: ['hook', 'hosts', 'cases'],
  case: ['name', 'event', 'as', 'tool', 'input', 'payload', 'session', 'hosts', 'files', 'env', 'expect'],
  expect: ['decision', 'reason', 'rewrite', 'replace', 'context', 'faults', 'withinMs', 'clean', 'answers'],
  answer: ['exit', 'stdout', 'stderr', 'decision'],
} as const;

interface Reader {
  readonly problems: Problems;
  readonly dialects: readonly Dialect[];
  readonly hosts: readonly string[];
}

/** @param hosts the ids of the agents that call Hookline */
export function readTestFile(file: string, text: string, dialects: readonly Dialect[], hosts: readonly string[]): TestFile {
  const document = parseYaml(file, text, 1);
  const problems = problemsIn(file);
  const reader: Reader = { problems, dialects, hosts };
  const { root } = document;
  const all = (): TestFile['diagnostics'] => [...document.diagnostics, ...problems.list];
  if (!root) {
    if (document.diagnostics.length === 0) wrong(reader, { line: 1, column: 1 }, 'The file has no cases.', `Write \`cases:\` with a list.`);
    return { file, cases: [], diagnostics: all() };
  }
  const map = mapOf(reader, root, 'A file of tests', KEYS.file);
  const list = map && entryOf(map, 'cases');
  const shared = map ? hostsIn(reader, map) : [];
  const hooks = map && textsIn(reader, entryOf(map, 'hook'), 'hook');
  if (map && list?.value.kind !== 'list')
    wrong(reader, (list ?? map).at, list ? '`cases` must be a list.' : '`cases` is missing.', 'Give one entry for each case.');
  const items = list?.value.kind === 'list' ? list.value.items : [];
  if (list?.value.kind === 'list' && items.length === 0) wrong(reader, list.at, '`cases` is empty.', 'Write at least one case.');
  const cases = items.flatMap((item, index) => readCase(reader, item, index, shared ?? []) ?? []);
  return { file, hooks, cases, diagnostics: all() };
}

function readCase(reader: Reader, node: Node, index: number, shared: readonly string[]): TestCase | undefined {
  const map = mapOf(reader, node, 'A case', KEYS.case);
  if (!map) return undefined;
  const event = readEvent(reader, map);
  const expect = readExpected(reader, map);
  const hosts = hostsIn(reader, map) ?? shared;
  const files = stringMap(reader, entryOf(map, 'files'), 'files');
  const env = stringMap(reader, entryOf(map, 'env'), 'env') ?? {};
  const name = textIn(reader, map, 'name') ?? `case ${index + 1}`;
  if (!event || !expect) return undefined;
  for (const host of Object.keys(expect.answers))
    if (!hosts.includes(host)) wrong(reader, map.at, `\`answers\` names ${host}, but the case does not run as it.`, 'Add it to `hosts`.');
  return { name, at: map.at, event, hosts, files, env, expect };
}

function readEvent(reader: Reader, map: MapNode): GivenEvent | undefined {
  const entry = entryOf(map, 'event');
  const given = textIn(reader, map, 'event');
  const as = textIn(reader, map, 'as');
  if (entry === undefined) wrong(reader, map.at, '`event` is missing.', 'Write a kind such as `tool.before`, or an event with `as`.');
  if (given === undefined) return undefined;
  const payload = objectIn(reader, map, 'payload');
  const tool = textIn(reader, map, 'tool');
  const input = objectIn(reader, map, 'input');
  if (tool !== undefined && payload !== undefined)
    wrong(reader, map.at, '`tool` and `payload` exclude each other.', 'Put the tool into the payload, or leave the payload out.');
  if (input !== undefined && tool === undefined) wrong(reader, map.at, '`input` needs `tool`.', 'Name the tool that the input is for.');
  const isCanonical = as === undefined || tool !== undefined;
  const name = known(reader, entry, () => {
    if (as === undefined) return kindNamed(given, reader.dialects);
    return nativeNamed(given, dialectNamed(as, reader.dialects));
  });
  if (name === undefined) return undefined;
  const data: JsonObject = tool === undefined ? (payload ?? {}) : { tool, input: input ?? {} };
  return { name, dialect: as, payload: data, isCanonical, session: textIn(reader, map, 'session') ?? 'hooktest' };
}

function readExpected(reader: Reader, owner: MapNode): Expected | undefined {
  const entry = entryOf(owner, 'expect');
  if (!entry) {
    wrong(
      reader,
      owner.at,
      '`expect` is missing, so the case could not fail.',
      'Write what must come of it: `expect: { decision: deny }`.',
    );
    return undefined;
  }
  const map = mapOf(reader, entry.value, '`expect`', KEYS.expect);
  if (!map) return undefined;
  if (map.entries.length === 0)
    wrong(reader, map.at, '`expect` is empty, so the case could not fail.', 'Write, for example, `decision: deny`.');
  const rewrite = entryOf(map, 'rewrite');
  const replace = entryOf(map, 'replace');
  return {
    decision: choiceIn(reader, map, 'decision', DECISIONS),
    reason: textTest(reader, entryOf(map, 'reason')),
    ...(rewrite && { rewrite: toJson(rewrite.value) }),
    ...(replace && { replace: toJson(replace.value) }),
    context: textTests(reader, entryOf(map, 'context')),
    faults: (textsIn(reader, entryOf(map, 'faults'), 'faults') ?? []).flatMap((kind) => faultNamed(reader, map, kind)),
    withinMs: numberIn(reader, map, 'withinMs'),
    isClean: booleanIn(reader, map, 'clean'),
    answers: readAnswers(reader, entryOf(map, 'answers')),
  };
}

function readAnswers(reader: Reader, entry: Entry | undefined): Readonly<Record<string, ExpectedAnswer>> {
  if (!entry) return {};
  const map = mapOf(reader, entry.value, '`answers`', reader.hosts);
  return Object.fromEntries(
    (map?.entries ?? []).flatMap(({ key, value }) => {
      const answer = mapOf(reader, value, 'An answer', KEYS.answer);
      if (!answer) return [];
      const stdout = entryOf(answer, 'stdout');
      const read: ExpectedAnswer = {
        exit: numberIn(reader, answer, 'exit'),
        ...(stdout && { stdout: toJson(stdout.value) }),
        stderr: textTest(reader, entryOf(answer, 'stderr')),
        decision: choiceIn(reader, answer, 'decision', DECISIONS),
      };
      return [[key, read]];
    }),
  );
}

function faultNamed(reader: Reader, map: MapNode, kind: string): FaultKind[] {
  if (Object.hasOwn(FAULTS, kind)) return [kind as FaultKind];
  wrong(reader, entryOf(map, 'faults')?.at ?? map.at, `There is no fault \`${kind}\`.`, nearest(kind, Object.keys(FAULTS)));
  return [];
}

/** Undefined if there is no such key: then the hosts of the file count. */
function hostsIn(reader: Reader, map: MapNode): readonly string[] | undefined {
  const entry = entryOf(map, 'hosts');
  const names = textsIn(reader, entry, 'hosts');
  for (const name of names ?? [])
    if (!reader.hosts.includes(name)) wrong(reader, entry?.at ?? map.at, `There is no agent \`${name}\`.`, nearest(name, reader.hosts));
  return names;
}

function textTest(reader: Reader, entry: Entry | undefined): TextTest | undefined {
  return entry && testOf(reader, entry.value, entry.key);
}

function textTests(reader: Reader, entry: Entry | undefined): readonly TextTest[] | undefined {
  if (!entry) return undefined;
  const nodes = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  return nodes.flatMap((node) => testOf(reader, node, entry.key) ?? []);
}

function testOf(reader: Reader, node: Node, key: string): TextTest | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    wrong(reader, node.at, `\`${key}\` must be a text or a pattern, found ${kindName(node)}.`, 'Write a text in quotes, or `/pattern/i`.');
    return undefined;
  }
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(node.value) ?? [];
  if (source === undefined) return { source: node.value };
  try {
    return { source: node.value, pattern: new RegExp(source, flags) };
  } catch (error) {
    wrong(
      reader,
      node.at,
      `The pattern ${node.value} is not valid: ${error instanceof Error ? error.message : String(error)}.`,
      'Fix the pattern.',
    );
    return undefined;
  }
}

function mapOf(reader: Reader, node: Node, what: string, keys: readonly string[]): MapNode | undefined {
  if (node.kind !== 'map') {
    wrong(reader, node.at, `${what} must be a map, found ${kindName(node)}.`, `Its keys: ${keys.join(', ')}.`);
    return undefined;
  }
  for (const { key, at } of node.entries) if (!keys.includes(key)) wrong(reader, at, `${what} has no key \`${key}\`.`, nearest(key, keys));
  return node;
}

function textIn(reader: Reader, map: MapNode, key: string): string | undefined {
  const entry = entryOf(map, key);
  if (!entry) return undefined;
  if (entry.value.kind === 'scalar' && typeof entry.value.value === 'string' && entry.value.value !== '') return entry.value.value;
  wrong(reader, entry.value.at, `\`${key}\` must be a text, found ${kindName(entry.value)}.`, 'Put it in quotes.');
  return undefined;
}

function textsIn(reader: Reader, entry: Entry | undefined, key: string): readonly string[] | undefined {
  if (!entry) return undefined;
  const values = [toJson(entry.value)].flat();
  if (values.every((value): value is string => typeof value === 'string')) return values;
  wrong(reader, entry.value.at, `\`${key}\` must be a text or a list of texts.`, 'Put each text in quotes.');
  return undefined;
}

function objectIn(reader: Reader, map: MapNode, key: string): JsonObject | undefined {
  const entry = entryOf(map, key);
  const value: Json | undefined = entry && toJson(entry.value);
  if (value === undefined || isObject(value)) return value;
  wrong(reader, (entry as Entry).value.at, `\`${key}\` must be a map.`, 'Give its keys below it.');
  return undefined;
}

function stringMap(reader: Reader, entry: Entry | undefined, key: string): Readonly<Record<string, string>> | undefined {
  if (!entry) return undefined;
  const value = toJson(entry.value);
  if (isObject(value) && Object.values(value).every((one) => typeof one === 'string')) return value as Record<string, string>;
  wrong(reader, entry.value.at, `\`${key}\` must be a map from names to texts.`, 'Put each value in quotes.');
  return undefined;
}

function numberIn(reader: Reader, map: MapNode, key: string): number | undefined {
  const entry = entryOf(map, key);
  if (!entry) return undefined;
  if (entry.value.kind === 'scalar' && typeof entry.value.value === 'number' && entry.value.value >= 0) return entry.value.value;
  wrong(reader, entry.value.at, `\`${key}\` must be a number of at least 0.`, `Write, for example, \`${key}: 0\`.`);
  return undefined;
}

function booleanIn(reader: Reader, map: MapNode, key: string): boolean {
  const entry = entryOf(map, key);
  if (!entry) return false;
  if (entry.value.kind === 'scalar' && typeof entry.value.value === 'boolean') return entry.value.value;
  wrong(reader, entry.value.at, `\`${key}\` must be true or false.`, `Write \`${key}: true\`.`);
  return false;
}

function choiceIn<T extends string>(reader: Reader, map: MapNode, key: string, choices: readonly T[]): T | undefined {
  const given = textIn(reader, map, key);
  const found = choices.find((choice) => choice === given);
  if (given !== undefined && found === undefined)
    wrong(reader, entryOf(map, key)?.value.at ?? map.at, `\`${key}\` cannot be \`${given}\`.`, nearest(given, choices));
  return found;
}

/** Turns the error of a name that is not known into a problem at its place. */
function known<T>({ problems }: Reader, entry: Entry | undefined, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error;
    problems.report(
      'error',
      'bad-test',
      entry?.value.at,
      error.message,
      error.hint?.replace(/add `--as (.+?)`, in code .*$/, 'add `as: $1`.'),
    );
    return undefined;
  }
}

function wrong({ problems }: Reader, at: { readonly line: number; readonly column: number }, message: string, hint: string): void {
  problems.report('error', 'bad-test', at, message, hint);
}

function nearest(name: string, names: readonly string[]): string {
  const near = suggest(name, names);
  return near === undefined ? `Known: ${names.join(', ')}.` : `Did you mean \`${near}\`?`;
}
