/** Reads the settings of a hook from its program: the literals in `export default defineHook({ … })`. */
import type { Diagnostic, Position } from '../core/values/diagnostic.ts';
import type { Entry, MapNode, Node } from '../core/values/document.ts';
import { type Problems, problemsIn } from '../core/values/read-document.ts';
import { eraseTypes } from './erase-types.ts';
import { importsOf } from './imports.ts';
import { type ParsedModule, parseModule, positionOf, type Syntax, type SyntaxProblem } from './module.ts';

/** The module that a hook imports `defineHook` from. */
export const HOOK_MODULE = 'hookline/hook';

export interface HookSettings {
  /** Absent if the program has an error. */
  readonly settings?: MapNode;
  readonly diagnostics: readonly Diagnostic[];
}

export function readHookSettings(file: string, text: string): HookSettings {
  const problems = problemsIn(file);
  const parsed = parseModule(file, text);
  const say = ({ at, message, hint }: SyntaxProblem): void => problems.report('error', 'bad-program', at, message, hint);
  if ('hint' in parsed) {
    say(parsed);
    return { diagnostics: problems.list };
  }
  const erased = eraseTypes(parsed);
  if (typeof erased !== 'string') erased.forEach(say);
  importsOf(parsed).problems.forEach(say);
  const settings = settingsIn(parsed, problems);
  return { ...(settings && problems.list.length === 0 && { settings }), diagnostics: problems.list };
}

const START: Position = { line: 1, column: 1 };
const EXAMPLE = "Write `export default defineHook({ on: 'tool.before', run(event) { … } })`, with `defineHook` from `hookline/hook`.";

function settingsIn({ body }: ParsedModule, problems: Problems): MapNode | undefined {
  const exported = body.find(({ type }) => type === 'ExportDefaultDeclaration');
  if (!exported) {
    const hint = `${EXAMPLE} Move a file that hooks import into a folder below.`;
    problems.report('error', 'no-hook', START, 'The file has no default export, so it is no hook.', hint);
    return undefined;
  }
  const call = unwrapped(exported['declaration'] as Syntax);
  const callee = call['callee'] as Syntax | undefined;
  const [given] = (call['arguments'] as readonly Syntax[] | undefined) ?? [];
  if (call.type !== 'CallExpression' || !namesOfDefineHook(body).includes(String(callee?.['name'])) || !given) {
    problems.report('error', 'no-hook', positionOf(exported), 'The default export is not a call of `defineHook`.', EXAMPLE);
    return undefined;
  }
  const settings = unwrapped(given);
  if (settings.type !== 'ObjectExpression') {
    problems.report('error', 'not-literal', positionOf(settings), 'The settings of a hook must be written as `{ … }`.', EXAMPLE);
    return undefined;
  }
  const { map, hasRun } = withoutRun(settings);
  if (!hasRun) problems.report('error', 'missing-field', positionOf(settings), 'The hook has no `run`.', 'Add `run(event) { … }`.');
  return literalOf(map, problems, 'The settings') as MapNode | undefined;
}

/** The local names of `defineHook`. */
function namesOfDefineHook(body: readonly Syntax[]): readonly string[] {
  return body
    .filter(({ type, source }) => type === 'ImportDeclaration' && (source as Syntax)['value'] === HOOK_MODULE)
    .flatMap(({ specifiers }) => specifiers as readonly Syntax[])
    .filter(({ imported }) => (imported as Syntax | undefined)?.['name'] === 'defineHook')
    .map(({ local }) => String((local as Syntax)['name']));
}

function withoutRun(settings: Syntax): { readonly map: Syntax; readonly hasRun: boolean } {
  const properties = settings['properties'] as readonly Syntax[];
  const rest = properties.filter((property) => property['computed'] === true || keyOf(property) !== 'run');
  return { map: { ...settings, properties: rest }, hasRun: rest.length < properties.length };
}

function keyOf({ key }: Syntax): string | undefined {
  const { type, name, value } = (key ?? {}) as Syntax;
  return type === 'Identifier' ? String(name) : type === 'StringLiteral' || type === 'NumericLiteral' ? String(value) : undefined;
}

/** Brackets and types around a value. */
function unwrapped(node: Syntax): Syntax {
  return /^(?:ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|TSNonNullExpression)$/.test(node.type)
    ? unwrapped(node['expression'] as Syntax)
    : node;
}

/** Returns the value of a literal, or undefined after a report. A regular expression becomes `{ pattern, flags }`. */
function literalOf(given: Syntax, problems: Problems, what: string): Node | undefined {
  const node = unwrapped(given);
  const at = positionOf(node);
  const scalar = (value: string | number | boolean | null): Node => ({ kind: 'scalar', at, value });
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return scalar(node['value'] as string | number | boolean);
    case 'NullLiteral':
      return scalar(null);
    case 'TemplateLiteral': {
      const [first, ...more] = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
      if (first && more.length === 0) return scalar(first.value.cooked);
      break;
    }
    case 'UnaryExpression': {
      const operand = node['argument'] as Syntax;
      if (node['operator'] === '-' && operand.type === 'NumericLiteral') return scalar(-(operand['value'] as number));
      break;
    }
    case 'RegExpLiteral':
      return mapOf(at, { pattern: node['pattern'] as string, flags: node['flags'] as string });
    case 'ArrayExpression': {
      const items = (node['elements'] as readonly (Syntax | null)[]).map((item) => item && literalOf(item, problems, what));
      return items.every((item): item is Node => Boolean(item)) ? { kind: 'list', at, items } : undefined;
    }
    case 'ObjectExpression':
      return objectOf(node, problems);
  }
  const message = `${what} must be literal, because they are read without running the file.`;
  problems.report(
    'error',
    'not-literal',
    at,
    message,
    'Write the value itself: a text, a number, `true`, a list, an object or a `/pattern/`.',
  );
  return undefined;
}

function objectOf(node: Syntax, problems: Problems): Node | undefined {
  const entries: Entry[] = [];
  let isWhole = true;
  for (const property of node['properties'] as readonly Syntax[]) {
    const key = property['computed'] === true ? undefined : keyOf(property);
    if (property.type !== 'ObjectProperty' || key === undefined || property['shorthand'] === true) {
      const message = 'The settings of a hook are read without running the file, so every key and value must be written out.';
      problems.report('error', 'not-literal', positionOf(property), message, "Write `key: 'value'`.");
      isWhole = false;
      continue;
    }
    const value = literalOf(property['value'] as Syntax, problems, `The values of \`${key}\``);
    if (value) entries.push({ key, at: positionOf(property), value });
    else isWhole = false;
  }
  return isWhole ? { kind: 'map', at: positionOf(node), entries } : undefined;
}

function mapOf(at: Position, values: Readonly<Record<string, string>>): MapNode {
  return { kind: 'map', at, entries: Object.entries(values).map(([key, value]) => ({ key, at, value: { kind: 'scalar', at, value } })) };
}
