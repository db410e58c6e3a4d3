/**
 * Answers a call that concerns no hook from memory, before the hooks and the engine are loaded: most events of an agent are such calls. Everything
 * that the engine would do for one is done here too, or shows here that it is needed. In doubt there is no answer, and the call is judged.
 */
import { existsSync } from 'node:fs';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { resolveHome } from '../../load/find/home.ts';
import { openMemory } from '../../load/memory.ts';
import { quietCall, readSilence, type Silence } from '../../load/remembered/silence.ts';
import { createAskers } from '../../people/askers.ts';
import { pauseFile } from '../../stores/pause.ts';
import { mayBeNoted } from '../../stores/session-notes.ts';
import { optionValue, parseArguments } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { isTyped } from '../input/payload.ts';
import { hookSpec } from './hook-spec.ts';
import { entryOf, installedFolders, readCall } from './host-call.ts';

export async function answerQuietly(argv: readonly string[]): Promise<CommandResult | undefined> {
  const args = parseArguments(argv, hookSpec);
  if ('message' in args || (await isTyped())) return undefined;
  try {
    const folders = resolveHome({ home: optionValue(args, 'home') }, await installedFolders(optionValue(args, 'installed')));
    const { stateFolder } = folders;
    const memory = openMemory(stateFolder, optionValue(args, 'policy'));
    const silence = memory && readSilence(memory, entryOf(argv, folders));
    if (!silence) return undefined;
    const isQuiet = isQuietCall(silence, args.positionals[0] ?? '', await readCall(), stateFolder, process.env);
    if (!isQuiet) return undefined;
    createAskers(stateFolder)(process.ppid);
    return { exit: EXIT.ok, out: '', err: '', verbatim: true, answers: true };
  } catch {
    // A record that cannot be used, a payload that is no JSON: the judgement reports it.
    return undefined;
  }
}

/** Whether a call is known to concern no hook, and to need nothing else. Throws if the text is no JSON. */
export function isQuietCall(silence: Silence, host: string, text: string, stateFolder: string, environment: Environment): boolean {
  const payload: unknown = JSON.parse(text);
  const call = isObject(payload) ? quietCall(silence, payload, environment) : undefined;
  if (!call || !isObject(payload) || existsSync(pauseFile(stateFolder))) return false;
  // The agent also calls by an entry in another agent's file, so this call has to be noted.
  if (mayBeNoted(stateFolder, 'foreign-entries', new Set([host]))) return false;
  // A call was denied in this session, and this one may be its run.
  return !(call.reportsRun && mayBeNoted(stateFolder, 'refused', textsIn(payload)));
}

/** Returns the texts of a payload among which its session is. */
export function textsIn(payload: JsonObject): ReadonlySet<string> {
  const shallow = Object.values(payload).flatMap((value): (Json | undefined)[] => (isObject(value) ? Object.values(value) : [value]));
  return new Set(shallow.filter((value) => typeof value === 'string'));
}
