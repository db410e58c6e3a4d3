import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HandlerContract } from '../../support/handler-contract.ts';

let folder: string | undefined;

export const contract: HandlerContract = {
  scenes() {
    const made = mkdtempSync(path.join(tmpdir(), 'hookline-contract-'));
    folder = made;
    const command = (text: string) => ({ handler: { type: 'command', config: { command: text } }, env: { FOLDER: made } });
    return {
      answers: command('echo \'{"decision": "deny"}\'; exit 2'),
      // A child of its own that ignores TERM: the whole group must end.
      hangs: command('(trap "" TERM; sh -c \'echo $$ >> "$FOLDER/pids"; trap "" TERM; sleep 300\') & echo $$ >> "$FOLDER/pids"; sleep 300'),
      floods: command('head -c 100000 /dev/zero | tr "\\0" x'),
      broken: [
        { handler: { type: 'command', config: {} } },
        { handler: { type: 'command', config: { script: '/nonexistent/run' } } },
        { handler: { type: 'command', config: { script: made } } },
        command('kill -9 $$'),
      ],
      left: () => livingOf(path.join(made, 'pids')),
    };
  },
  close() {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  },
};

function livingOf(file: string): string[] {
  const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return pids.filter((pid) => isAlive(Number(pid)));
}

/** A process that has ended and is not yet collected counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return existsSync('/proc/self') ? false : respondsTo(pid);
  }
}

function respondsTo(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
