/** Asks for a passphrase on the controlling terminal, without showing it. No variable, option or pipe can give it. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** Whether this process has a controlling terminal. */
export function hasTerminal(): boolean {
  const terminal = openTerminal();
  if (terminal === undefined) return false;
  closeSync(terminal);
  return true;
}

function openTerminal(): number | undefined {
  try {
    return process.platform === 'win32' ? undefined : openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
}

/** Returns undefined if there is no terminal, or the person leaves. */
export async function askPassphrase(question: string): Promise<string | undefined> {
  const terminal = openTerminal();
  if (terminal === undefined) return undefined;
  const input = new ReadStream(terminal);
  input.setRawMode(true);
  writeSync(terminal, question);
  try {
    return await readLine(input);
  } finally {
    input.setRawMode(false);
    writeSync(terminal, '\n');
    input.destroy();
  }
}

const [ENTER, LINE_FEED, INTERRUPT, END, DELETE, BACKSPACE] = ['\r', '\n', '\u0003', '\u0004', '\u007f', '\b'];

function readLine(input: ReadStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed: string[] = [];
    input.setEncoding('utf8');
    input.once('error', () => resolve(undefined));
    input.once('end', () => resolve(undefined));
    input.on('data', (chunk: string) => {
      for (const character of chunk) {
        if (character === ENTER || character === LINE_FEED) return resolve(typed.join(''));
        if (character === INTERRUPT || character === END) return resolve(undefined);
        if (character === DELETE || character === BACKSPACE) typed = typed.slice(0, -1);
        else typed.push(character);
      }
    });
  });
}
