/** Builtins that change what the shell knows: directory, variables, arguments; and those that run text as code. */
import { declare } from './declare.ts';
import { setHashed } from './hashed.ts';
import type { Invocation } from './invoke.ts';
import { DECODED, PRIVATE, UNKNOWN } from './marks.ts';
import { outputOf } from './output.ts';
import { readInto } from './reading.ts';
import type { Scope } from './scope.ts';

/** Commands that are the shell itself: no file on the path takes their place. */
export const BUILTINS: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export
  false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
  shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/),
);

/** What it prints; undefined if `name` is no such builtin. */
export function builtin(name: string, invocation: Invocation): string | undefined {
  const { argv, scope, wiring, place, machine } = invocation;
  const args = argv.slice(1);
  const operands = args.filter((arg) => !/^-./.test(arg));
  switch (name) {
    case 'cd':
    case 'pushd':
      scope.cwd = changed(scope.cwd, operands[0] ?? '~');
      return '';
    case 'popd':
      scope.cwd = UNKNOWN;
      return '';
    case 'eval':
      return machine.runText(codeOf(args), scope, place);
    case 'trap':
      return operands[0] === undefined || operands[0] === '-' ? '' : machine.runText(operands[0], scope.child(), place);
    case 'read':
    case 'mapfile':
    case 'readarray':
      readInto(name, invocation);
      return '';
    case 'alias':
    case 'declare':
    case 'export':
    case 'local':
    case 'readonly':
    case 'typeset':
      return declare(name, invocation) ? '' : undefined;
    case 'hash':
      if (/^-\w*p$/.test(args[0] ?? '') && args[1] !== undefined) for (const each of args.slice(2)) setHashed(each, args[1], scope);
      return '';
    case 'printf':
      if (args[0] !== '-v' || args[1] === undefined) return undefined;
      scope.set(args[1], [[outputOf({ name, argv: ['printf', ...args.slice(2)], stdin: '', cwd: scope.cwd, files: machine.files })]]);
      return '';
    case 'set':
      setArguments(args, scope);
      return args.length === 0 ? PRIVATE + UNKNOWN : '';
    case 'unset':
      if (!args.includes('-f')) for (const variable of operands) scope.unset(variable);
      return undefined;
    case 'shift':
      if (scope.maybe === 0) scope.args = scope.args?.slice(Number(args[0] ?? 1) || 1);
      return '';
    case 'exec':
      if (args.length > 0) return undefined;
      scope.fds = wiring.fds;
      scope.stdin = wiring.stdin;
      return '';
    default:
      return undefined;
  }
}

/** Decoded text is judged as what it decodes to; where it comes from is told by then. */
function codeOf(args: readonly string[]): string {
  return args
    .slice(args[0] === '--' ? 1 : 0)
    .join(' ')
    .replaceAll(DECODED, '');
}

/** `set -- a b`, `set a b`, `set -eu a b`; options alone leave the arguments as they are. */
function setArguments(args: readonly string[], scope: Scope): void {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') scope.args = args.slice(at + 1);
    else if (/^[-+]\w*o$/.test(word)) {
      at++;
      continue;
    } else if (/^[-+]./.test(word)) continue;
    else scope.args = args.slice(at);
    return;
  }
}

function changed(cwd: string, to: string): string {
  if (to === '-') return UNKNOWN;
  if (/^[/~]/.test(to) || cwd === '' || to.startsWith(UNKNOWN)) return to;
  return `${cwd}/${to}`;
}
