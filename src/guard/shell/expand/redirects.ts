/** Redirections: the target of each descriptor, the text on standard input, and the files that the command writes. */
import type { HereDoc, Redirection, WordPart } from 'unbash';
import { contentOf } from '../flow/secret-path.ts';
import { REMOTE, UNKNOWN } from '../marks.ts';
import { type GuardContext, valuesOf } from './word.ts';

export interface Wiring {
  readonly fds: ReadonlyMap<number, string>;
  readonly stdin: string;
  readonly writes: readonly string[];
  readonly appends: boolean;
}

/** Names of descriptors that lead to the next command of a pipeline, or to the process that started the script. */
export const STDIN = 'stdin';
export const STDOUT = 'stdout';

export function isNetworkPath(path: string | undefined): boolean {
  return path?.startsWith('/dev/') === true && /^\/dev\/(tcp|udp)\//.test(path);
}

export function applyRedirects(redirects: readonly Redirection[], context: GuardContext): Wiring {
  const { scope, machine } = context;
  if (redirects.length === 0) return { fds: scope.fds, stdin: scope.stdin, writes: [], appends: false };
  const fds = new Map(scope.fds);
  const writes: string[] = [];
  let { stdin } = scope;
  let appends = false;
  const connect = (fd: number, to: string | undefined, text?: string): void => {
    if (to === undefined) fds.delete(fd);
    else fds.set(fd, to);
    const held = text ?? (fd > 2 && isNetworkPath(to) ? REMOTE : fd > 2 ? machine.files.get(to ?? '') : undefined);
    if (held !== undefined) machine.files.set(`/dev/fd/${fd}`, held);
    if (fd === 0)
      stdin =
        text ?? (isNetworkPath(to) ? REMOTE : (contentOf(to ?? '', scope.cwd, machine.files) ?? (to === STDIN ? scope.stdin : UNKNOWN)));
  };
  for (const redirect of redirects) {
    const fd = descriptorOf(redirect, context, fds);
    if (redirect.type === 'HereDoc') {
      if (redirect.closing === undefined)
        machine.doubts.push({ why: 'a here-document has no end', line: context.place.line, limit: false });
      connect(fd ?? 0, 'text', bodyOf(redirect, context));
    } else if (redirect.target === undefined) continue;
    else if (redirect.type === 'HereString') connect(fd ?? 0, 'text', `${valuesOf(redirect.target, context)[0] ?? ''}\n`);
    else {
      const { operator } = redirect;
      for (const target of valuesOf(redirect.target, context)) {
        if (operator.endsWith('&') && /^\d+-?$/.test(target)) {
          const from = Number.parseInt(target, 10);
          connect(fd ?? (operator === '<&' ? 0 : 1), fds.get(from) ?? [STDIN, STDOUT, 'stderr'][from] ?? UNKNOWN);
          continue;
        }
        const path = target === '/dev/stdout' || target === '/dev/fd/1' ? STDOUT : target;
        if (operator === '<' || operator === '<&') connect(fd ?? 0, path);
        else {
          connect(fd ?? (operator === '<>' ? 0 : 1), path);
          if (operator.startsWith('&') || (operator === '>&' && fd === undefined)) connect(2, path);
          if (path !== STDOUT) writes.push(path);
          appends ||= operator.includes('>>');
        }
      }
    }
  }
  return { fds, stdin, writes, appends };
}

function descriptorOf({ descriptor }: Redirection, { scope }: GuardContext, fds: ReadonlyMap<number, string>): number | undefined {
  if (descriptor?.type !== 'FileDescriptorVariable') return descriptor?.value;
  const fd = 10 + fds.size;
  scope.set(descriptor.name, [[String(fd)]]);
  return fd;
}

function bodyOf({ body, delimiter }: HereDoc, context: GuardContext): string {
  if (delimiter?.quoted || body.parts === undefined) return body.text;
  const quoted: WordPart = { type: 'DoubleQuoted', pos: body.pos, end: body.end, text: body.text, parts: body.parts as never };
  return valuesOf({ type: 'Word', text: body.text, value: body.text, pos: body.pos, end: body.end, parts: [quoted] }, context)[0] ?? '';
}
