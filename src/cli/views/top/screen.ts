/**
 * The terminal as a screen of lines. It uses the alternate screen, and gives the terminal back as it was at every end: when it is closed, at
 * an exit for any reason, and while the process is stopped.
 */
import { writeSync } from 'node:fs';
import { emitKeypressEvents, type Key } from 'node:readline';
import type { Size } from './draw.ts';

export interface ScreenEvents {
  /** A key by its name, such as `j`, `G`, `return`, `ctrl+c` or `shift+tab`. */
  onKey(key: string): void;
  /** The size has changed, or the screen is back: everything is drawn anew. */
  onResize(): void;
  /** The terminal is gone. */
  onGone(): void;
}

export interface Screen {
  size(): Size;
  /** Writes the lines that differ from those on the screen. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back while the work is done. */
  aside<T>(work: () => T): T;
  close(): void;
}

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
const LEAVE = '\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';
const USUAL: Size = { columns: 80, rows: 24 };

export function openScreen({ onKey, onResize, onGone }: ScreenEvents): Screen {
  const { stdin, stdout } = process;
  let shown: readonly string[] = [];
  let isOn = false;

  const enter = (): void => {
    if (isOn) return;
    isOn = true;
    shown = [];
    stdin.setRawMode(true);
    stdin.resume();
    writeNow(ENTER);
  };
  const leave = (): void => {
    if (!isOn) return;
    isOn = false;
    writeNow(LEAVE);
    try {
      stdin.setRawMode(false);
      stdin.pause();
    } catch {
      // The terminal is gone, so it has no mode.
    }
  };
  /** Stops all processes of this command, as a shell expects it. Returns when they go on, or at once if no shell could let them go on. */
  const stop = (): void => {
    leave();
    process.off('SIGTSTP', stop);
    process.kill(0, 'SIGTSTP');
    process.on('SIGTSTP', stop);
    comeBack();
  };
  /** A shell may have changed the mode of the terminal meanwhile, so it is set anew. */
  const comeBack = (): void => {
    leave();
    enter();
    redraw();
  };
  const redraw = (): void => {
    shown = [];
    if (isOn) writeNow('\x1b[2J');
    onResize();
  };
  const keyPressed = (text: string | undefined, key: Key): void => {
    const name = nameOf(text, key);
    if (name === 'ctrl+z') stop();
    else if (name === 'ctrl+l') redraw();
    else if (name !== '') onKey(name);
  };
  const crashed = (): void => leave();

  emitKeypressEvents(stdin);
  stdin.on('keypress', keyPressed);
  stdin.once('end', onGone).once('error', onGone);
  stdout.on('resize', redraw).once('error', onGone);
  process.on('SIGTSTP', stop).on('SIGCONT', comeBack).on('exit', leave);
  // Before the message about the error is printed, which the alternate screen would take with it.
  process.prependListener('uncaughtException', crashed);
  enter();

  return {
    size: () => ({ columns: stdout.columns || USUAL.columns, rows: stdout.rows || USUAL.rows }),
    draw(lines) {
      if (!isOn) return;
      const changed = lines.flatMap((line, at) => (line === shown[at] ? [] : [`\x1b[${at + 1};1H${line}\x1b[0m\x1b[K`]));
      shown = lines;
      if (changed.length > 0) stdout.write(changed.join(''));
    },
    aside(work) {
      leave();
      try {
        return work();
      } finally {
        comeBack();
      }
    },
    close() {
      leave();
      stdin.off('keypress', keyPressed).off('end', onGone).off('error', onGone);
      stdout.off('resize', redraw).off('error', onGone);
      process.off('SIGTSTP', stop).off('SIGCONT', comeBack).off('exit', leave).off('uncaughtException', crashed);
    },
  };
}

/** Writes at once, because an exit does not wait. */
function writeNow(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // The terminal is gone.
  }
}

function nameOf(text: string | undefined, { name, ctrl, meta, shift }: Key): string {
  if (ctrl && name !== undefined) return `ctrl+${name}`;
  if (meta) return name === 'escape' ? 'escape' : '';
  if (name === 'tab') return shift ? 'shift+tab' : 'tab';
  if (name === 'enter') return 'return';
  if (name !== undefined && name.length > 1) return name;
  return text !== undefined && [...text].length === 1 && text >= ' ' ? text : (name ?? '');
}
