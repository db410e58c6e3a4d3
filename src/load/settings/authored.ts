/**
 * Reads the rules of one's own: `protect` and `rules` of the guard. A part that cannot be used is an error with its position. It never counts as
 * absent, because its author relies on it.
 */
import { basename, dirname, resolve } from 'node:path';
import {
  type AuthoredRule,
  EFFECT_FACTS,
  FILE_USES,
  type GuardSettings,
  PROTECTIONS,
  type Protection,
  RULE_SEVERITIES,
  type RulePattern,
} from '../../core/contracts/guard-settings.ts';
import type { Diagnostic, Position } from '../../core/values/diagnostic.ts';
import { type Document, type Entry, entryOf, fieldOf, kindName, type Node, toJson } from '../../core/values/document.ts';
import { type Problems, problemsIn, stringsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { readText } from '../find/read-text.ts';
import { contained, failed, refuse, withoutBom } from '../formats/intake.ts';

/** Reports a part that cannot be used. */
type Complain = (at: Position, message: string, hint: string) => undefined;

const RULE_KEYS = ['id', 'severity', 'match', 'unless', 'reason', 'instead', 'tests'];
const PROTECTION_KEYS = [...FILE_USES, 'reason', 'instead', 'tests'];
const RULE_HINT = 'See the example in docs/guard.md, and check the rules with `hookline guard test`.';
const PROTECTION_HINT = 'Write `{ "write": "ask" }`: `read`, `write` and `delete` are `ask` or `deny`.';

/** The entries of the guard's settings that this module reads. */
export interface AuthoredEntries {
  readonly protect: Entry | undefined;
  readonly rules: Entry | undefined;
}

/** Returns the rules of one's own in a settings file. Paths of rule files are relative to that file. */
export function readAuthored({ protect, rules }: AuthoredEntries, file: string, problems: Problems): GuardSettings {
  const listed = rules === undefined ? { rules: [], ruleFiles: [] } : readRules(rules, dirname(file), problems);
  return {
    ...(protect && { protect: readProtect(protect, problems) }),
    ...(listed.rules.length > 0 && { rules: listed.rules }),
    ...(listed.ruleFiles.length > 0 && { ruleFiles: listed.ruleFiles }),
  };
}

/** Reads files of rules, and returns the settings with these rules. A file that cannot be used is broken. */
export async function withRuleFiles(settings: GuardSettings): Promise<{ settings: GuardSettings; diagnostics: readonly Diagnostic[] }> {
  const { ruleFiles = [], ...rest } = settings;
  if (ruleFiles.length === 0) return { settings, diagnostics: [] };
  const read = await Promise.all(ruleFiles.map(readRuleFile));
  const diagnostics = read.flatMap((one) => one.diagnostics);
  const broken = diagnostics.filter(({ severity }) => severity === 'error').map(placed);
  return {
    settings: {
      ...rest,
      rules: [...(rest.rules ?? []), ...read.flatMap(({ rules }) => rules)],
      ...((broken.length > 0 || rest.broken) && { broken: [...(rest.broken ?? []), ...broken] }),
    },
    diagnostics,
  };
}

/** Returns a problem as one line with its place. */
export function placed({ file, line, column, message }: Diagnostic): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return place === '' ? message : `${place}: ${message}`;
}

async function readRuleFile(file: string): Promise<{ rules: readonly AuthoredRule[]; diagnostics: readonly Diagnostic[] }> {
  const document = await readRuleDocument(file);
  const problems = problemsIn(file);
  const rules = ruleNodes(document, problems).flatMap((node) => readRule(node, problems) ?? []);
  return { rules, diagnostics: [...document.diagnostics, ...problems.list] };
}

/** Parses a YAML file with rules. Never throws. */
export async function readRuleDocument(file: string): Promise<Document> {
  const read = readText(file);
  if (read === undefined)
    return failed(file, undefined, 'bad-rule', 'There is no such file of rules.', 'Create it, or remove it from `rules`.');
  if ('problem' in read) return { file, diagnostics: [read.problem] };
  const refused = refuse(file, read.text);
  if (refused) return refused;
  const { parseYaml } = await import('../formats/yaml.ts');
  return contained((name, text) => parseYaml(name, withoutBom(text), 1))(file, read.text);
}

/** Returns the rules in a file: a list, or a map with the list `rules`. */
export function ruleNodes({ file, root, diagnostics }: Document, problems: Problems): readonly Node[] {
  if (diagnostics.some(({ severity }) => severity === 'error')) return [];
  const list = root?.kind === 'list' ? root : fieldOf(root, 'rules');
  if (root?.kind === 'map') unknownKeys(root, ['rules'], 'A file of rules', complainOfRule(problems));
  if (list?.kind === 'list') return list.items;
  complainOfRule(problems)((list ?? root)?.at ?? { line: 1, column: 1 }, `${basename(file)} has no list of rules.`, RULE_HINT);
  return [];
}

function readRules(entry: Entry, folder: string, problems: Problems): { rules: AuthoredRule[]; ruleFiles: string[] } {
  const found: { rules: AuthoredRule[]; ruleFiles: string[] } = { rules: [], ruleFiles: [] };
  if (entry.value.kind !== 'list') {
    complainOfRule(problems)(entry.value.at, `\`rules\` must be a list of rules, found ${kindName(entry.value)}.`, RULE_HINT);
    return found;
  }
  for (const item of entry.value.items) {
    if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '') found.ruleFiles.push(resolve(folder, item.value));
    else {
      const rule = readRule(item, problems);
      if (rule) found.rules.push(rule);
    }
  }
  return found;
}

/** Reads one rule. Undefined: it cannot be used, which is reported. */
export function readRule(node: Node, problems: Problems): AuthoredRule | undefined {
  const complain = complainOfRule(problems);
  if (node.kind !== 'map') return complain(node.at, `A rule must be a map, found ${kindName(node)}.`, RULE_HINT);
  const before = problems.list.length;
  unknownKeys(node, RULE_KEYS, 'A rule', complain);
  const id = textUnder(node, 'id', 'A rule', complain);
  if (id !== undefined && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    complain(valueAt(node, 'id'), `\`${id}\` is not the name of a rule.`, 'Use lower-case words with hyphens: `no-production`.');
  const severity = RULE_SEVERITIES.find((word) => word === scalarUnder(node, 'severity'));
  if (severity === undefined)
    complain(valueAt(node, 'severity'), `A rule needs a \`severity\`.`, `Write one of ${RULE_SEVERITIES.join(', ')}.`);
  const match = readMatch(node, complain);
  const unless = match === undefined ? [] : readUnless(node, match.effect, complain);
  const reason = textUnder(node, 'reason', 'A rule', complain);
  const instead = textUnder(node, 'instead', 'A rule', complain);
  checkExamples(node, true, complain);
  if (problems.list.length > before || !id || !severity || !match || !reason || !instead) return undefined;
  return { id, severity, match, ...(unless.length > 0 && { unless }), reason, instead };
}

function readMatch(rule: Node, complain: Complain): AuthoredRule['match'] | undefined {
  const match = fieldOf(rule, 'match');
  const effect = match && scalarUnder(match, 'effect');
  if (!match || typeof effect !== 'string')
    return complain(
      (match ?? rule).at,
      'A rule needs a `match` with an `effect`.',
      'Write `match: { effect: command, command: deployctl }`.',
    );
  if (!Object.hasOwn(EFFECT_FACTS, effect)) {
    const near = suggest(effect, Object.keys(EFFECT_FACTS));
    const known = `Effects: ${Object.keys(EFFECT_FACTS).join(', ')}. Use \`protect\` for files.`;
    return complain(
      valueAt(match, 'effect'),
      `There is no effect \`${effect}\`.`,
      near === undefined ? known : `Did you mean \`${near}\`?`,
    );
  }
  const pattern = readPattern(match, effect, complain);
  return pattern && { ...pattern, effect };
}

function readUnless(rule: Node, effect: string, complain: Complain): readonly RulePattern[] {
  const unless = fieldOf(rule, 'unless');
  if (!unless) return [];
  return (unless.kind === 'list' ? unless.items : [unless]).flatMap((one): readonly RulePattern[] => {
    const pattern = readPattern(one, effect, complain);
    return pattern === undefined ? [] : [pattern];
  });
}

function readPattern(node: Node, effect: string, complain: Complain): RulePattern | undefined {
  if (node.kind !== 'map') return complain(node.at, `Conditions must be a map, found ${kindName(node)}.`, RULE_HINT);
  const facts = EFFECT_FACTS[effect] ?? [];
  for (const { key, at, value } of node.entries) {
    if (key === 'effect') continue;
    if (!facts.includes(key)) {
      const near = suggest(key, facts);
      const hint = near === undefined ? `Its facts: ${facts.join(', ')}.` : `Did you mean \`${near}\`?`;
      complain(at, `The effect \`${effect}\` has no fact \`${key}\`.`, hint);
    } else if (!isCondition(value))
      complain(value.at, `\`${key}\` must be text, a list of texts, \`true\` or \`false\`, found ${kindName(value)}.`, RULE_HINT);
  }
  return toJson(node) as RulePattern;
}

function isCondition(node: Node): boolean {
  if (node.kind === 'scalar') return typeof node.value === 'string' || typeof node.value === 'boolean';
  return stringsIn(node) !== undefined;
}

/** Reads the map `protect`, from globs to decisions. */
function readProtect(entry: Entry, problems: Problems): Record<string, Protection> {
  const complain = complainOfProtection(problems);
  if (entry.value.kind !== 'map') {
    complain(entry.value.at, `\`protect\` must be a map from paths to decisions, found ${kindName(entry.value)}.`, PROTECTION_HINT);
    return {};
  }
  const read = entry.value.entries.flatMap(({ key, at, value }): readonly (readonly [string, Protection])[] => {
    const protection = readProtection(key, at, value, problems);
    return protection === undefined ? [] : [[key, protection]];
  });
  return Object.fromEntries(read);
}

export function readProtection(glob: string, at: Position, node: Node, problems: Problems): Protection | undefined {
  const complain = complainOfProtection(problems);
  if (glob.trim() === '' || /[[\]{}!\\]/.test(glob))
    return complain(at, `\`${glob}\` is not a path.`, 'Write a path; `*` matches within a folder, `**` any folders, `~` is the home.');
  if (node.kind !== 'map')
    return complain(node.at, `The decisions on \`${glob}\` must be a map, found ${kindName(node)}.`, PROTECTION_HINT);
  const before = problems.list.length;
  unknownKeys(node, PROTECTION_KEYS, 'A protection', complain);
  for (const use of FILE_USES) {
    const value = fieldOf(node, use);
    if (value && !PROTECTIONS.some((word) => value.kind === 'scalar' && value.value === word))
      complain(value.at, `\`${use}\` must be \`ask\` or \`deny\`, found ${JSON.stringify(toJson(value))}.`, PROTECTION_HINT);
  }
  if (problems.list.length === before && !FILE_USES.some((use) => entryOf(node, use)))
    complain(at, `The protection of \`${glob}\` decides on no use.`, PROTECTION_HINT);
  for (const key of ['reason', 'instead']) if (entryOf(node, key)) textUnder(node, key, 'A protection', complain);
  if (entryOf(node, 'tests')) checkExamples(node, false, complain);
  if (problems.list.length > before) return undefined;
  return Object.fromEntries(node.entries.filter(({ key }) => key !== 'tests').map(({ key, value }) => [key, toJson(value)]));
}

/** Each example is a command. A rule needs examples on both sides, because a rule that matches nothing looks like one that works. */
function checkExamples(node: Node, both: boolean, complain: Complain): void {
  const tests = fieldOf(node, 'tests');
  const hint = 'Write `tests: { block: ["a command"], allow: ["another one"] }`.';
  if (tests?.kind === 'map') unknownKeys(tests, ['block', 'allow'], '`tests`', complain);
  else if (tests && !both) complain(tests.at, `\`tests\` must be a map, found ${kindName(tests)}.`, hint);
  for (const key of ['block', 'allow']) {
    const listed = tests && fieldOf(tests, key);
    if (listed ? !stringsIn(listed) : both) complain((listed ?? tests ?? node).at, `\`tests\` needs a list of commands \`${key}\`.`, hint);
  }
}

function unknownKeys(node: Node, known: readonly string[], what: string, complain: Complain): void {
  for (const { key, at } of node.kind === 'map' ? node.entries : []) {
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    complain(at, `${what} has no \`${key}\`.`, near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean \`${near}\`?`);
  }
}

function scalarUnder(node: Node, key: string): string | number | boolean | null | undefined {
  const value = fieldOf(node, key);
  return value?.kind === 'scalar' ? value.value : undefined;
}

function textUnder(node: Node, key: string, what: string, complain: Complain): string | undefined {
  const text = scalarUnder(node, key);
  if (typeof text === 'string' && text.trim() !== '') return text;
  return complain(valueAt(node, key), `${what} needs a \`${key}\` as text.`, 'Say it in your own words.');
}

function valueAt(node: Node, key: string): Position {
  return (fieldOf(node, key) ?? node).at;
}

function complainOfRule(problems: Problems): Complain {
  return (at, message, hint) => problems.report('error', 'bad-rule', at, message, hint) as undefined;
}

function complainOfProtection(problems: Problems): Complain {
  return (at, message, hint) => problems.report('error', 'bad-protection', at, message, hint) as undefined;
}
