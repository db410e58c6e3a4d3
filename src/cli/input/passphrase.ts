/** Asks for a passphrase on the controlling terminal, without showing it. No variable, option or pipe can give it. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
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
export function askPassphrase(question: string): string | undefined {
  // One opening sets the terminal, the other reads it: a stream would read ahead, and take the answers to later questions.
  const [switching, terminal] = [openTerminal(), openTerminal()];
  if (switching === undefined || terminal === undefined) return undefined;
  const input = new ReadStream(switching);
  try {
    input.setRawMode(true);
    writeSync(terminal, question);
    return readLine(terminal);
  } finally {
    input.setRawMode(false);
    input.destroy();
    writeSync(terminal, '\n');
    closeSync(terminal);
  }
}

const [ENTER, LINE_FEED, INTERRUPT, END, DELETE, BACKSPACE] = [13, 10, 3, 4, 127, 8];

function readLine(terminal: number): string | undefined {
  const typed: number[] = [];
  const byte = Buffer.alloc(1);
  for (;;) {
    if (readSync(terminal, byte) === 0) return undefined;
    const [code = 0] = byte;
    if (code === ENTER || code === LINE_FEED) return Buffer.from(typed).toString('utf8');
    if (code === INTERRUPT || code === END) return undefined;
    if (code === DELETE || code === BACKSPACE) dropCharacter(typed);
    else typed.push(code);
  }
}

/** A character may have several bytes: all but the first begin with the bits 10. */
function dropCharacter(typed: number[]): void {
  for (let last = typed.pop(); last !== undefined && (last & 0xc0) === 0x80; last = typed.pop());
}
