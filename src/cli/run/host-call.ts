/** A call of an agent as the command receives it: its text, and the entry by which it comes. */
import { homedir } from 'node:os';
import type { Environment } from '../../core/values/environment.ts';
import type { HomeFolders } from '../../load/find/home.ts';
import { readStdinText } from '../input/payload.ts';

let read: Promise<string> | undefined;

/** Stdin can be read only once, but the judgement needs the payload after the look at remembered calls, and the failure handler after both. */
export function readCall(): Promise<string> {
  read ??= readStdinText();
  return read;
}

/** The variables that lead to the user's folders. An installed entry names its record; without a record the environment counts. */
export async function installedFolders(record: string | undefined): Promise<Environment> {
  if (record === undefined) return process.env;
  const { foldersOf, readInstallation } = await import('../../load/find/installation.ts');
  const installation = readInstallation(record, process.env);
  return installation === undefined ? process.env : foldersOf(installation);
}

/** Identifies the entry that makes a call: its words without the proof, which is another one for each call, and the folders that it leads to. */
export function entryOf(argv: readonly string[], folders: HomeFolders): string {
  const { home, configFolder, stateFolder } = folders;
  const words = argv.filter((word) => !word.startsWith(PROOF));
  return JSON.stringify([words, process.cwd(), homedir(), home, configFolder, stateFolder]);
}

const PROOF = '--proof=';
