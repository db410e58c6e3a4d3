/**
 * Makes the marks by which a process finds the hooks among its ancestors. A mark is in the environment of everything that a hook starts. It
 * is signed with a key of the user, because a repository can set variables too and must not make Hookline skip a hook.
 */

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Returns a function from a hook's id to its mark. The key is read or created for the first mark. Each mark is made once. */
export function createAncestorMarks(stateFolder: string): (hookId: string) => string {
  const known = new Map<string, string>();
  let key: Buffer | undefined;
  return (hookId) => {
    const made = known.get(hookId);
    if (made !== undefined) return made;
    key ??= keyIn(path.join(stateFolder, 'hookline'));
    const mark = crypto().createHmac('sha256', key).update(hookId).digest('hex').slice(0, 16);
    // Hooks come and go in a long life.
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(hookId, mark);
    return mark;
  };
}

const MOST_KNOWN = 10_000;

const KEY_BYTES = 32;

/** Loads the module for the first mark, because most events start no process. */
function crypto() {
  return process.getBuiltinModule('node:crypto');
}

/** If the key cannot be stored, this process uses its own. Then no ancestor is recognised, and only the depth limit ends a recursion. */
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

/** Of several processes that create a key at once, one wins: a complete file is linked to the name, which fails if the name exists. */
function makeKey(folder: string, file: string, fresh: Buffer): Buffer | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${crypto().randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, fresh, { flag: 'wx', mode: 0o600 });
    linkSync(draft, file);
  } catch {
    // Another process was first, or the file cannot be written. The key that can be read is used.
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(file);
}
