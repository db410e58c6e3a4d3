/** The scenes that every way of starting a command plays for the contract of handlers. */
import path from 'node:path';
import { livingOf } from './processes.ts';

/** A command that finds the folder in its environment. */
export function commandIn(folder: string, text: string) {
  return { handler: { type: 'command', config: { command: text } }, env: { FOLDER: folder } };
}

export function commandScenes(folder: string) {
  const command = (text: string) => commandIn(folder, text);
  return {
    answers: command('echo \'{"decision": "deny"}\'; exit 2'),
    // A child of its own that ignores TERM: the whole group must end.
    hangs: command('(trap "" TERM; sh -c \'echo $$ >> "$FOLDER/pids"; trap "" TERM; sleep 300\') & echo $$ >> "$FOLDER/pids"; sleep 300'),
    floods: command('head -c 100000 /dev/zero | tr "\\0" x'),
    broken: [
      { handler: { type: 'command', config: {} } },
      { handler: { type: 'command', config: { script: '/nonexistent/run' } } },
      { handler: { type: 'command', config: { script: folder } } },
      command('kill -9 $$'),
    ],
    left: () => livingOf(path.join(folder, 'pids')),
  };
}
