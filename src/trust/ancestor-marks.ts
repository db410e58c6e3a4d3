/**
 * The mark that stands for a hook's id in the environment of what it starts. Made with a key of the user's, because a variable can be set by
 * anybody, a repository included: whoever only knows a hook's id can't make Hookline believe that it runs already.
 */

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The key is read, or made, when the first mark is wanted. */
export function createAncestorMarks(stateFolder: string): (hookId: string) => string {
  let key: Buffer | undefined;
  return (hookId) => {
    key ??= keyIn(path.join(stateFolder, 'hookline'));
    return crypto().createHmac('sha256', key).update(hookId).digest('hex').slice(0, 16);
  };
}

const KEY_BYTES = 32;

/** Loaded when a mark is wanted: most events start nothing. */
function crypto() {
  return process.getBuiltinModule('node:crypto');
}

/** Without a place to keep it the key is this process's own: no hook is recognised then, and the depth alone ends a recursion. */
function keyIn(folder: string): Buffer {
  const file = path.join(folder, 'marks.key');
  const fresh = crypto().randomBytes(KEY_BYTES);
  try {
    return readKey(file) ?? makeKey(folder, file, fresh) ?? fresh;
  } catch {
    return fresh;
  }
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file);
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Of several processes that make one at once, one wins: a name is given to a whole file, and only if nobody has it. */
function makeKey(folder: string, file: string, fresh: Buffer): Buffer | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${crypto().randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, fresh, { flag: 'wx', mode: 0o600 });
    linkSync(draft, file);
  } catch {
    // Somebody else was first, or there is no room for one: what can be read counts.
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(file);
}
