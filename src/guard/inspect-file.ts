/** One file that a hook runs: shell scripts are judged whole and followed, other code is searched for a few calls. */
import { readFileSync, statSync } from 'node:fs';
import { type Files, leavingLink, MOST_BYTES, tooLarge } from './files.ts';
import { type Finding, finding } from './findings.ts';
import { judge } from './judge.ts';
import { inCode as evaluated } from './rules/exec-source.ts';
import { inCode as networked } from './rules/network-shell.ts';
import { deletedPaths, shellTexts } from './shell/foreign.ts';
import type { Run } from './shell/machine.ts';

export interface Inspected {
  readonly findings: readonly Finding[];
  /** What the file runs in its turn. */
  readonly runs: readonly Run[];
}

const SHELL_LINE = /^#!.*\b(ba|z|da|k|a|mk)?sh\b/;

export function inspectFile(path: string, run: Run, variables: Readonly<Record<string, string>>, files: Files): Inspected {
  const link = files.leavesFolder(path) ? [leavingLink(path)] : [];
  const text = read(path);
  if (text === undefined) return { findings: [...link, unreadable(path)], runs: [] };
  if (text === 'large') return { findings: [...link, tooLarge(path)], runs: [] };
  if (text.body.includes('\0')) return { findings: [...link, binary(path)], runs: [] };
  const { body } = text;
  if (isShell(path, body, run)) {
    const { findings, analysis } = judge(body, { variables, self: path, mostBytes: MOST_BYTES });
    return { findings: [...link, ...findings], runs: analysis.runs };
  }
  return { findings: [...link, ...searchCode(body)], runs: [] };
}

/** Without a line that names its interpreter, a file that is run by its path is run by a shell. */
function isShell(path: string, body: string, { how }: Run): boolean {
  if (how === 'shell' || how === 'source') return true;
  if (how === 'interpreter') return false;
  return body.startsWith('#!') ? SHELL_LINE.test(body.split('\n', 1)[0] ?? '') : /\.(sh|bash|zsh|ksh)$/.test(path) || !/\.\w+$/.test(path);
}

function searchCode(body: string): readonly Finding[] {
  const first = body.split('\n', 1)[0] ?? '';
  const accused = [...networked(body, 'file'), ...evaluated(body)].map((accusation) => finding(accusation, first));
  const commands = [...shellTexts(body), ...deletedPaths(body).map((path) => `rm -rf -- ${JSON.stringify(path)}`)];
  const judged = commands.flatMap((text) => judge(text).findings.filter(({ severity }) => severity !== 'medium'));
  return [...accused, ...judged.map((item) => ({ ...item, line: lineWith(body, item.text) }))];
}

function lineWith(body: string, text: string): number {
  const at = body.indexOf(text.replace(/…$/, ''));
  return at === -1 ? 1 : body.slice(0, at).split('\n').length;
}

function read(path: string): { readonly body: string } | 'large' | undefined {
  try {
    return statSync(path).size > MOST_BYTES ? 'large' : { body: readFileSync(path, 'utf8') };
  } catch {
    return undefined;
  }
}

function unreadable(path: string): Finding {
  return finding(
    { rule: 'unaudited-file', severity: 'medium', message: "Can't be read, so it is not audited.", hint: 'Make it readable.' },
    path,
  );
}

function binary(path: string): Finding {
  return finding(
    {
      rule: 'unaudited-file',
      severity: 'medium',
      message: 'Is a binary, so it is not audited.',
      hint: 'Use a script, or make sure where it comes from.',
    },
    path,
  );
}
