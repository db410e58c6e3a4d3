/** Opens the dashboard in the browser of a person who sits at a desktop. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whether this is a desktop: a screen, no login from elsewhere, and no runner of tests. */
export function hasDesktop(env: NodeJS.ProcessEnv): boolean {
  if (env['CI'] || env['SSH_CONNECTION'] || env['SSH_TTY']) return false;
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/**
 * Opens the address. Every user of a machine can read the command line of a program, so the browser gets a file that only this user can read, and
 * the file leads on to the address. Returns a function that removes the file.
 */
export function openBrowser(folder: string, address: string): () => void {
  const file = path.join(folder, `open-${process.pid}.html`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, leadingTo(address), { mode: 0o600, flag: 'wx' });
  const [program, ...words] = opener(pathToFileURL(file).href);
  const child = spawn(program as string, words, { stdio: 'ignore', detached: true });
  // The link is printed too, so a machine without a browser loses nothing.
  child.once('error', () => {});
  child.unref();
  return () => rmSync(file, { force: true });
}

function opener(address: string): readonly string[] {
  if (process.platform === 'darwin') return ['open', address];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', address] : ['xdg-open', address];
}

/** The address consists of letters, digits and a few signs that need no escape. */
function leadingTo(address: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Hookline</title><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Open the dashboard</a>\n`;
}
