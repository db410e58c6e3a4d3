/**
 * The guard's verdict on one tool call. Commands are judged as commands and files by their real location, with the same rules. A call that
 * does not state its command or file is uncertain, never harmless. Apart from the audit, only this folder of the guard reads the file system.
 */

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { GuardOverride } from '../../core/contracts/guard-settings.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { effect } from '../effects/effect.ts';
import { fileEffects } from '../effects/files/index.ts';
import { type Finding, finding, sortFindings, type Violation } from '../findings.ts';
import { type GuardFinding, type GuardOptions, type GuardVerdict, guardCommand, PRESETS, type Preset } from '../guard.ts';
import { violationsOf } from '../judge.ts';
import { withOverrides, worst } from '../overrides.ts';
import { candidatesOf, type Folders } from './real-path.ts';
import { type NamedPath, pathsIn, pathsInPatch, shellTexts } from './tool-inputs.ts';
import { FOLDER_KEYS, normalizeName, toolKind } from './tools.ts';

export interface GuardToolOptions extends GuardOptions {
  readonly overrides?: readonly GuardOverride[];
  /** Milliseconds since the epoch (default: now). Decides which overrides have expired. */
  readonly now?: number;
}

/**
 * Judges one tool call. Never throws and never allows.
 *
 * @param input The input as the tool receives it.
 */
export function guardTool(tool: unknown, input: unknown, options: GuardToolOptions = {}): GuardVerdict {
  try {
    return judgeTool(tool, input, options);
  } catch (error) {
    return failure(error, options.preset ?? 'standard');
  }
}

function judgeTool(tool: unknown, input: unknown, options: GuardToolOptions): GuardVerdict {
  const preset = options.preset ?? 'standard';
  const folders = foldersFor(options, input);
  const rules = { ...options, ...folders, preset };
  const { texts, paths, unclear } = readTool(tool, input);
  const verdicts = texts.map((text) => guardCommand(text, rules));
  const doubts = unclear === undefined ? [] : [finding(uncertain(unclear), String(tool).slice(0, 200))];
  const own: (Finding & { readonly path?: string })[] = [...doubts, ...paths.flatMap((named) => judgePath(named, folders, rules))];
  const told = own.map((item): GuardFinding => ({ ...item, decision: PRESETS[preset][item.severity] }));
  const findings = sortFindings([...verdicts.flatMap((verdict) => verdict.findings), ...told]);
  const verdict: GuardVerdict = {
    decision: worst(findings),
    preset,
    complete: unclear === undefined && verdicts.every(({ complete }) => complete),
    findings,
    commands: verdicts.flatMap(({ commands }) => commands),
  };
  return withOverrides(verdict, { overrides: options.overrides ?? [], now: options.now ?? Date.now(), home: folders.home });
}

interface ToolReading {
  readonly texts: readonly string[];
  readonly paths: readonly NamedPath[];
  /** Why the effect of the call is unknown. */
  readonly unclear?: string;
}

const NOTHING: ToolReading = { texts: [], paths: [] };

function readTool(tool: unknown, given: unknown): ToolReading {
  if (typeof tool !== 'string' || tool === '') return { ...NOTHING, unclear: 'the call does not name its tool' };
  const input = parseInput(given);
  const kind = toolKind(tool);
  if (kind.does === 'file' || kind.does === 'patch') {
    const paths = kind.does === 'patch' ? pathsInPatch(input) : pathsIn(input, kind);
    return paths ? { texts: [], paths } : { ...NOTHING, unclear: 'the call does not name the file it changes' };
  }
  const texts = shellTexts(tool, kind, input);
  return texts ? { texts, paths: [] } : { ...NOTHING, unclear: 'the call does not contain the command it runs' };
}

/** Returns the input as data, because some agents pass it as JSON text. */
function parseInput(input: unknown): Json {
  if (typeof input !== 'string' || !/^\s*\{/.test(input)) return (input ?? null) as Json;
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

function judgePath({ path: given, use }: NamedPath, folders: Folders, rules: GuardOptions): (Finding & { readonly path: string })[] {
  const candidates = candidatesOf(given, folders);
  if (!candidates) return [{ ...finding(uncertain('its path is not a valid path'), given), path: given }];
  const real = (candidates[1] ?? candidates[0])?.path ?? given;
  const shown = real === path.resolve(folders.cwd, given) ? given : `${given} → ${real}`;
  const found = new Map<string, Finding & { readonly path: string }>();
  for (const { path: one, knownFolders } of candidates) {
    for (const { kind, facts } of fileEffects(one, use, knownFolders)) {
      const seen = effect(kind, use === 'delete' && isFolder(real) ? { ...facts, recursive: true } : facts);
      for (const violation of violationsOf(seen, { ...rules, ...knownFolders })) {
        if (!found.has(violation.rule)) found.set(violation.rule, { ...finding(violation, shown), path: real });
      }
    }
  }
  return [...found.values()];
}

/** Returns whether the path is a folder, because deleting a folder deletes everything in it. */
function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // The path cannot be read or is not a valid name, so nothing can be deleted from here.
    return false;
  }
}

function foldersFor({ cwd, home, root }: GuardOptions, input: unknown): Folders {
  const project = path.resolve(root ?? cwd ?? process.cwd());
  const here = path.resolve(project, cwd ?? project);
  const [, given] =
    (isObject(input) ? Object.entries(input) : []).find(([key, value]) => FOLDER_KEYS.has(normalizeName(key)) && textOf(value)) ?? [];
  return { cwd: typeof given === 'string' ? path.resolve(here, given) : here, home: home ?? homedir(), root: project };
}

/** Returns a denial for a bug in Hookline or an input that is not data, because an action that was not judged must not run. */
function failure(error: unknown, preset: Preset): GuardVerdict {
  const message = `Could not be judged because the guard failed: ${error instanceof Error ? error.message : 'unknown error'}.`;
  const own: Violation = { rule: 'guard-failed', severity: 'high', message, hint: 'This is a bug in Hookline; please report it.' };
  return { decision: 'deny', preset, complete: false, findings: [{ ...finding(own, ''), decision: 'deny' }], commands: [] };
}

function uncertain(why: string): Violation {
  return {
    rule: 'uncertain',
    severity: 'medium',
    message: `Could not be judged: ${why}.`,
    hint: 'Pass the input in the form that the tool documents.',
    category: 'uncertain',
  };
}
