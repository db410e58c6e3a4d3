// The scratch folder of the tour. A tour that was killed leaves its folder behind; the next one removes those whose process is gone, and no other.
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PREFIX = 'hookline-tour-';
/** In the folder: the process that works in it. */
const OWNER = '.tour-process';

/** Makes the folder, with a copy of the project. It is removed when this process ends. */
export function makeScratch(project) {
  removeAbandoned();
  const root = mkdtempSync(path.join(tmpdir(), PREFIX));
  writeFileSync(path.join(root, OWNER), String(process.pid));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  cpSync(project, root, { recursive: true });
  return root;
}

function removeAbandoned() {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) removeIfAbandoned(path.join(tmpdir(), name));
}

function removeIfAbandoned(folder) {
  try {
    const found = lstatSync(folder);
    // A link, or a folder of another user, is none of ours.
    if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) return;
    const pid = Number(readFileSync(path.join(folder, OWNER), 'utf8'));
    if (Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid)) rmSync(folder, { recursive: true, force: true });
  } catch {
    // It has no owner that could be asked, or went meanwhile.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return error.code === 'EPERM';
  }
}
