/** A simple command: its assignments, words and redirections are resolved, then it is invoked once for each name it may have. */
import type { Command, Word } from 'unbash';
import { collect, cut } from './bounded.ts';
import { invoke } from './invoke.ts';
import { lineOf, type Machine } from './machine.ts';
import { STDIN, STDOUT, type Wiring, wire } from './redirects.ts';
import type { Scope } from './scope.ts';
import { fieldsOf, readingsOf, type Surroundings, valuesOf } from './word.ts';

const MOST_ELEMENTS = 256;

export function runCommand(node: Command, outer: Surroundings): string {
  const { machine } = outer;
  const around: Surroundings = { ...outer, place: { ...outer.place, line: lineOf(outer.place, node.pos) } };
  const prefixed = node.name !== undefined && node.prefix.some(({ type }) => type === 'Assignment');
  const scope = prefixed ? around.scope.child() : around.scope;
  const assigned = assign(node, around, scope);
  const sinks = machine.sinks.length;
  const words = node.args.filter((arg): arg is Word => arg.type === 'Word');
  const rest = [...fieldsOf(words, around), ...assigned];
  const wiring = wire(node.redirects, around);
  const readings = node.name ? readingsOf(node.name, around) : [];
  let printed = collect(readings, (fields) => invoke({ argv: [...fields, ...rest], scope, wiring, place: around.place, machine }));
  if (readings.length === 0) {
    if (wiring.writes.length > 0) machine.commands.push(bare(wiring, around));
    printed = '';
  }
  drain(sinks, printed, around);
  return delivered(printed, wiring, around);
}

/** What is printed goes on to the pipeline, or into the file that stdout leads to. */
export function delivered(printed: string, { fds, appends }: Wiring, { machine }: Surroundings): string {
  const to = fds.get(1) ?? STDOUT;
  if (to === STDOUT) return cut(printed);
  if (to !== 'stderr' && to !== '/dev/null') machine.files.set(to, cut(appends ? (machine.files.get(to) ?? '') + printed : printed));
  return '';
}

/** A redirection without a command still writes. */
function bare({ fds, stdin, writes }: Wiring, { scope, place }: Surroundings): Machine['commands'][number] {
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
  };
}

/** Sets the variables; gives back those that are arguments (`export A=b`, `alias x=y`) as words. */
function assign(node: Command, around: Surroundings, prefixScope: Scope): readonly string[] {
  const words: string[] = [];
  for (const part of [...node.prefix, ...node.args]) {
    if (part.type !== 'Assignment') continue;
    const argument = !node.prefix.includes(part);
    const scope = argument ? around.scope : prefixScope;
    const array = part.value.type === 'ArrayValue';
    const values: readonly (readonly string[])[] =
      part.value.type === 'ArrayValue' ? [fieldsOf(part.value.elements, around)] : valuesOf(part.value, around).map((text) => [text]);
    const old = part.append ? (scope.get(part.name) ?? [['']]) : undefined;
    const appended = old?.flatMap((before) =>
      values.map((value) => (array ? [...before, ...value] : [(before[0] ?? '') + (value[0] ?? '')])),
    );
    scope.set(
      part.name,
      (appended ?? values).map((value) => value.slice(0, MOST_ELEMENTS).map((text) => cut(text))),
    );
    if (argument) words.push(`${part.name}=${values[0]?.[0] ?? ''}`);
    if (argument && node.name?.value === 'alias') around.machine.runText(values[0]?.[0] ?? '', around.scope.child(), around.place);
  }
  return words;
}

function drain(from: number, printed: string, { machine }: Surroundings): void {
  for (const { script, scope, place } of machine.sinks.splice(from)) {
    const inner = scope.child();
    inner.stdin = printed;
    inner.connect([[0, STDIN]]);
    machine.runScript(script, inner, place);
  }
}
