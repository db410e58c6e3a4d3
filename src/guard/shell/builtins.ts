/** Builtins that change what the shell knows: directory, variables, arguments; and those that run text as code. */

import type { Invocation } from './invoke.ts';
import { originsOf, REMOTE, UNKNOWN } from './marks.ts';
import { isNetworkPath } from './redirects.ts';

/** What it prints; undefined if `name` is no such builtin. */
export function builtin(name: string, { argv, scope, wiring, place, machine }: Invocation): string | undefined {
  const args = argv.slice(1);
  const operands = args.filter((arg) => !/^-./.test(arg));
  switch (name) {
    case 'cd':
    case 'pushd':
      scope.cwd = changed(scope.cwd, operands[0] ?? '~');
      return '';
    case 'eval':
      return machine.runText(
        args
          .filter((arg, i) => i > 0 || arg !== '--')
          .join(' ')
          .replace(/\uE002/g, ''),
        scope,
        place,
      );
    case 'trap':
      return operands[0] === undefined || operands[0] === '-' ? '' : machine.runText(operands[0], scope.child(), place);
    case 'read':
    case 'mapfile':
    case 'readarray': {
      const source = isNetworkPath(wiring.fds.get(0)) || isNetworkPath(wiring.fds.get(unit(args))) ? REMOTE : originsOf(wiring.stdin);
      const literal = source === '' && !/[\uE000-\uE003]/.test(wiring.stdin) ? wiring.stdin.split('\n').filter((line) => line !== '') : [];
      const values = literal.length > 0 ? literal.map((line) => [line]) : [[source + UNKNOWN]];
      for (const variable of operands.length > 0 ? operands : ['REPLY']) if (/^[A-Za-z_]\w*$/.test(variable)) scope.set(variable, values);
      return '';
    }
    case 'set': {
      const at = args.indexOf('--');
      if (at !== -1) scope.args = args.slice(at + 1);
      return '';
    }
    case 'unset':
      for (const variable of operands) if (scope.maybe === 0) scope.set(variable, [['']]);
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

/** `read -u 5`. */
function unit(args: readonly string[]): number {
  const at = args.indexOf('-u');
  return at === -1 ? 0 : Number(args[at + 1] ?? 0);
}

function changed(cwd: string, to: string): string {
  if (to === '-') return UNKNOWN;
  if (/^[/~]/.test(to) || cwd === '' || to.startsWith(UNKNOWN)) return to;
  return `${cwd}/${to}`;
}
