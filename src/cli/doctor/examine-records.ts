/** Checks what installed entries lead to: the record of the installation, the Node that it names, and code that runs before Hookline. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { InstalledFile } from '../../install/installed.ts';
import { findProgram } from '../../install/launcher.ts';
import { readInstallation } from '../../load/find/installation.ts';

/** Checks the records of one host's entries. */
export function examineRecords(host: Host, files: readonly InstalledFile[], env: NodeJS.ProcessEnv): readonly Diagnostic[] {
  return files.flatMap(({ file, lines }) => {
    const commands = lines.filter(({ via, program }) => via === 'command' && program.length > 0);
    const records = new Set(commands.map(({ installed }) => installed));
    return [...records].flatMap((record): readonly Diagnostic[] => {
      if (record === undefined) return [withoutRecord(host, file)];
      try {
        const found = readInstallation(record, env);
        return found ? [...deadNode(host, file, found.node, env), ...otherProgram(file, commands, found.program, env)] : [];
      } catch (error) {
        if (!(error instanceof HooklineError)) throw error;
        const message = `${error.message} ${host.title} blocks everything that can be denied until that is fixed.`;
        return [{ severity: 'error', code: 'dead-entry', file, message, hint: again(host) }];
      }
    });
  });
}

/** Checks for variables that let other code run before Hookline's first line, which Hookline cannot prevent. */
export function examineEnvironment(env: NodeJS.ProcessEnv): readonly Diagnostic[] {
  return RUN_FIRST.filter((name) => (env[name] ?? '') !== '').map((name) => ({
    severity: 'warning',
    code: 'runs-first',
    message: `\`${name}\` is set. It runs code of its own in the programs that agents start, before Hookline's first line.`,
    hint: 'Remove it from the environment of your agents, unless you have set it yourself and know what it runs.',
  }));
}

const RUN_FIRST = ['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV'];

function withoutRecord(host: Host, file: string): Diagnostic {
  const message = `The entries are those of an older version: variables such as HOME decide which hooks ${host.title} asks.`;
  return { severity: 'warning', code: 'entry-without-record', file, message, hint: again(host) };
}

function deadNode(host: Host, file: string, node: string, { PATH = '' }: NodeJS.ProcessEnv): readonly Diagnostic[] {
  if (existsSync(node)) return [];
  const other = findProgram('node', PATH);
  const then = other === undefined ? 'and there is no other on the PATH, so the entries block' : `so ${other} runs the hooks`;
  const message = `The Node of the installation, ${node}, is gone, ${then}.`;
  return [{ severity: other === undefined ? 'error' : 'warning', code: 'node-is-gone', file, message, hint: again(host) }];
}

/** An entry of a project names no path, so the PATH decides which program it starts. */
function otherProgram(
  file: string,
  lines: InstalledFile['lines'],
  program: string,
  { PATH = '' }: NodeJS.ProcessEnv,
): readonly Diagnostic[] {
  const bare = new Set(lines.flatMap(({ program: [first = ''] }) => (path.isAbsolute(first) ? [] : [first])));
  return [...bare].flatMap((name): readonly Diagnostic[] => {
    const found = findProgram(name, PATH);
    if (found === undefined || path.dirname(realpathSync(found)) === path.dirname(program)) return [];
    const message = `The entries start \`${name}\`, and the PATH leads to ${found}, which is not the program that was installed (${program}).`;
    return [{ severity: 'warning', code: 'other-program', file, message, hint: 'Find out which one it is, and remove the other.' }];
  });
}

function again({ id }: Host): string {
  return `Run \`hookline install ${id}\` again in your own terminal.`;
}
