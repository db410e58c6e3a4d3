/** Evaluates a simple command: resolves its assignments, words and redirections, then invokes it once for each possible name. */
import type { Assignment, Command, Word } from 'unbash';
import { atMost, spend } from '../../limits.ts';
import { applyRedirects, STDIN, STDOUT, type Wiring } from '../expand/redirects.ts';
import { fieldsOf, type GuardContext, readingsOf, valuesOf } from '../expand/word.ts';
import { lineOf, type Machine } from '../machine.ts';
import { joinOutputs, truncate } from '../marks.ts';
import { namesIn } from '../names.ts';
import { forgetHashed, type Scope, setAlias, type Value } from '../scope.ts';
import { disguisedSetting } from './disguised.ts';
import { knownGenerator } from './generators.ts';
import { invoke } from './invoke.ts';

const MOST_ELEMENTS = 4096;
const QUOTED = /^(SingleQuoted|DoubleQuoted)$/;
/** Commands whose words become variables. */
const LOADS = namesIn('export declare typeset local readonly env');
const SETTERS = namesIn('read mapfile readarray printf export declare typeset local readonly eval cd pushd set unset source .');

export function runCommand(node: Command, outer: GuardContext): string {
  const { machine } = outer;
  const place =
    outer.place.starts === undefined
      ? outer.place
      : { ...outer.place, line: lineOf(outer.place, node.pos), span: [node.pos, node.end] as const };
  const context: GuardContext = { scope: outer.scope, machine, place };
  const prefixed = node.name !== undefined && node.prefix.some(({ type }) => type === 'Assignment');
  // A builtin that sets variables sets them in this shell, even after an assignment prefix.
  const temporary = prefixed && SETTERS.has(node.name?.value ?? '');
  const scope = prefixed && !temporary ? context.scope.child() : context.scope;
  const sinks = machine.sinks.length;
  machine.files.cwd = scope.cwd;
  const words = node.args.filter((arg): arg is Word => arg.type === 'Word');
  const loads = LOADS.has(node.name?.value ?? '');
  if (loads) machine.loading++;
  const rest = fieldsOf(words, context);
  if (words.length < node.args.length) rest.push(...assignmentArguments(node, context));
  if (loads) machine.loading--;
  const wiring = applyRedirects(node.redirects, context);
  const known = knownGenerator(node);
  const readings = known ? [known] : node.name ? readingsOf(node.name, context) : [];
  const follow = (inner: GuardContext): string =>
    joinOutputs(readings, (fields) =>
      invoke({ argv: known ? fields : [...fields, ...rest], scope: inner.scope, wiring, place: inner.place, machine }),
    );
  if (temporary) scope.enter();
  const own = scope === context.scope ? context : { scope, machine, place };
  assign(node.prefix, own, temporary ? 'temporary' : prefixed ? 'environment' : 'plain');
  let printed = follow(own);
  const hidden = prefixed || node.args.length > 1 ? disguisedSetting(node) : undefined;
  if (hidden !== undefined)
    machine.doubts.push({ why: `the program in ${hidden} is written in a way that hides it`, line: place.line, limit: false });
  if (prefixed && !temporary) guessFirst(node, context, follow);
  if (node.name?.parts?.some(({ type }) => QUOTED.test(type))) for (const [first = ''] of readings) guessWhole([first, ...rest], context);
  if (temporary) scope.leave();
  if (readings.length === 0) {
    // `$(< file)` returns the content of the file.
    const input = wiring.fds.get(0);
    if (node.redirects.length > 0 && input !== undefined && input !== scope.fds.get(0))
      printed = invoke({ argv: ['cat'], scope, wiring, place, machine });
    else printed = '';
    if (wiring.writes.length > 0) machine.commands.push(redirectionOnly(wiring, context));
  }
  if (node.name?.value === 'exec' && words.length === 0) keepSinks(sinks, machine);
  feedSinks(sinks, printed, context);
  return deliverOutput(printed, wiring, context);
}

/** Judges a quoted command line as a command. The quotes make it a command name, but the author probably meant the command. */
function guessWhole([name = '', ...rest]: readonly string[], { machine, scope, place }: GuardContext): void {
  if (place.guessed || !/^[\w./-]+[ \t\n;]/.test(name)) return;
  // A line end separates two commands for a shell, and two words for a tool that splits the line itself.
  for (const line of name.includes('\n') ? [name, name.replaceAll('\n', ' ')] : [name]) {
    const text = [line, ...rest.map((word) => `'${word.replaceAll("'", "'\\''")}'`)].join(' ');
    machine.runText(text, scope.child(), { ...place, guessed: true });
  }
}

/** Passes the output on to the pipeline, or stores it in the file that stdout leads to. */
export function deliverOutput(printed: string, { fds, appends }: Wiring, { machine }: GuardContext): string {
  const to = fds.get(1) ?? STDOUT;
  if (to === STDOUT) return truncate(printed);
  const sink = machine.kept.get(to);
  if (sink !== undefined) feed(sink, printed, machine);
  if (to !== 'stderr' && to !== '/dev/null') machine.files.set(to, truncate(appends ? machine.files.before(to) + printed : printed));
  return '';
}

/** Returns a command for a redirection without a command, because it still writes. */
function redirectionOnly({ fds, stdin, writes }: Wiring, { scope, place }: GuardContext): Machine['commands'][number] {
  return {
    name: '',
    argv: [`> ${writes.join(' ')}`],
    stdin,
    fds,
    writes,
    cwd: scope.cwd,
    self: false,
    spawned: place.spawned,
    line: place.line,
    span: place.span,
    via: place.via,
    env: {},
    guessed: place.guessed,
    feeder: scope.feeder,
    next: scope.next,
    loads: false,
    shown: true,
    at: undefined,
    source: undefined,
    program: undefined,
    flow: undefined,
  };
}

/** Sets the variables before a command in the given scope. */
function assign(prefix: Command['prefix'], context: GuardContext, how: 'plain' | 'temporary' | 'environment'): void {
  const { scope } = context;
  for (const part of prefix) {
    if (part.type !== 'Assignment') continue;
    if (how === 'temporary') scope.localise(part.name);
    context.machine.loading++;
    setVariable(part, scope, context);
    context.machine.loading--;
    if (how === 'environment') scope.export(part.name);
    // Setting `PATH` clears the shell's table of remembered commands. The system has exported the variable before.
    if (how === 'plain' && part.name === 'PATH') {
      forgetHashed(scope);
      scope.export('PATH');
    }
  }
}

/** Judges the first value of a variable that is set twice. The last value wins, so the first one is only a guess. */
function guessFirst({ prefix }: Command, context: GuardContext, run: (inner: GuardContext) => void): void {
  const seen = new Set<string>();
  const assignments = prefix.filter(({ type }) => type === 'Assignment');
  const firsts = assignments.filter((part) => part.type === 'Assignment' && !seen.has(part.name) && seen.add(part.name));
  if (context.place.guessed || firsts.length === assignments.length) return;
  const inner = { ...context, scope: context.scope.child(), place: { ...context.place, guessed: true } };
  assign(firsts, inner, 'environment');
  run(inner);
}

/** Returns assignments that are arguments (`export A=b`, `alias x=y`) as words. */
function assignmentArguments(node: Command, context: GuardContext): readonly string[] {
  return node.args.flatMap((part) => {
    if (part.type !== 'Assignment') return [];
    if (part.value.type !== 'ArrayValue')
      return valuesOf(part.value, context).map((text) => `${part.name}${part.append ? '+' : ''}=${truncate(text)}`);
    context.scope.localise(part.name);
    setVariable(part, context.scope, context);
    return [part.name];
  });
}

/** Sets a variable. The new value can use the old one, so it is evaluated first. */
function setVariable(part: Assignment, scope: Scope, context: GuardContext): void {
  if (part.index !== undefined) fieldsOf([part.index], context);
  const array = part.value.type === 'ArrayValue';
  const values: readonly (readonly string[])[] =
    part.value.type === 'ArrayValue' ? [fieldsOf(part.value.elements, context)] : valuesOf(part.value, context).map((text) => [text]);
  const old = part.append ? (scope.get(part.name) ?? [['']]) : undefined;
  spend(((old?.length ?? 0) * values.length) / 4);
  const appended = old?.flatMap((before) =>
    values.map((value) => (array ? [...before, ...value] : [(before[0] ?? '') + (value[0] ?? ''), ...before.slice(1)])),
  );
  const all = part.index === undefined ? (appended ?? values) : assignElement(part.index.text, values, scope.get(part.name));
  scope.set(
    part.name,
    all.map((value) => {
      spend(value.length / 16);
      return atMost(value, MOST_ELEMENTS, 'the elements of an array').map((text) => truncate(text));
    }),
  );
  // The shell expands these texts before every prompt and every traced command.
  if (/^PS[0-4]$|^R?PROMPT$/.test(part.name)) for (const [prompt = ''] of all) runInserted(prompt, context);
  if (part.name === 'BASH_ALIASES' && part.index !== undefined) for (const [code = ''] of values) setAlias(part.index.text, code, scope);
  // The shell runs this code before every prompt.
  if (part.name === 'PROMPT_COMMAND') for (const [code = ''] of all) context.machine.runText(code, context.scope.child(), context.place);
}

/** Runs the substitutions in a text that the shell expands later. */
function runInserted(text: string, { machine, scope, place }: GuardContext): void {
  for (const match of text.matchAll(/\$\(([\s\S]+?)\)|`([^`]+)`/g)) machine.runText(match[1] ?? match[2] ?? '', scope.child(), place);
}

/** Returns the values after `a[1]=x`. If the index is unknown, the value is added to the array. */
function assignElement(index: string, values: readonly Value[], old: readonly Value[] = [[]]): readonly Value[] {
  const at = /^\d{1,3}$/.test(index) ? Number(index) : undefined;
  return old.flatMap((before) =>
    values.map(([text = '']) =>
      at === undefined
        ? [...before, text]
        : Array.from({ length: Math.max(before.length, at + 1) }, (_, i) => (i === at ? text : (before[i] ?? ''))),
    ),
  );
}

/** Keeps the substitutions that `exec` connects to a descriptor, because later commands write to them. */
function keepSinks(from: number, machine: Machine): void {
  for (const { path, ...sink } of machine.sinks.splice(from)) machine.kept.set(path, sink);
}

function feedSinks(from: number, printed: string, { machine }: GuardContext): void {
  if (machine.sinks.length === from) return;
  for (const sink of machine.sinks.splice(from)) feed(sink, printed, machine);
}

function feed({ script, scope, place }: Omit<Machine['sinks'][number], 'path'>, printed: string, machine: Machine): void {
  const inner = scope.child();
  inner.stdin = printed;
  // A script that gets the output of the shell does not write into itself.
  inner.connect([
    [0, STDIN],
    [1, STDOUT],
  ]);
  machine.runScript(script, inner, place);
}
