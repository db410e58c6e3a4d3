/** The steps of `hookline init` that change something. Each says what it did, or what remains and how to do it. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { HOSTS } from '../../builtins.ts';
import type { ScaffoldFile } from '../../core/contracts/dialect.ts';
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { quotedPath } from '../../core/values/quoted-path.ts';
import { planTests, runTests, type TestRun } from '../../hooktest/run-tests.ts';
import { schema } from '../../hooktest/schema.ts';
import type { Folders } from '../../install/host-files.ts';
import { hostLook } from '../../install/host-look.ts';
import { installedFiles, isUsedHere } from '../../install/installed.ts';
import type { TrustEntry } from '../../trust/trust-file.ts';
import type { Arguments } from '../arguments.ts';
import { EXIT } from '../command.ts';
import { canaries } from '../doctor/canary.ts';
import { examineHost } from '../doctor/examine-host.ts';
import { problemOf } from '../failure.ts';
import { editorFiles } from '../hooks/editor-files.ts';
import { writeNew } from '../hooks/new-files.ts';
import { add } from '../hooks/trust-add.ts';
import { trustTask } from '../hooks/trust-task.ts';
import * as install from '../install/install.ts';
import { jsonDocument } from '../output.ts';
import { shortName } from '../print/text.ts';
import { filesOf, type Protection } from './protections.ts';
import { missingFolders } from './record.ts';

export interface Step {
  /** Whether nothing of it remains to be done. */
  readonly isDone: boolean;
  readonly says: string;
  /** The command that does it, or a sentence, for a person. */
  readonly fix?: string;
}

export interface WrittenHook {
  readonly hook: string;
  readonly test: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The names that were in the folder of the hook before. */
  readonly neighbours: readonly string[];
}

/** Writes the hook, its test, and the files for editors. Nothing that exists is changed. */
export function writeHook(protection: Protection, root: string): WrittenHook {
  const { hook, test } = filesOf(protection);
  const shared: readonly ScaffoldFile[] = [{ path: '.hookline/schemas/hooktest.json', text: jsonDocument(schema()) }, ...editorFiles()];
  const folders = missingFolders([hook, test, ...shared].map((file) => path.join(root, file.path)));
  const at = path.join(root, hook.path);
  const neighbours = existsSync(path.dirname(at)) ? readdirSync(path.dirname(at)) : [];
  const { files } = writeNew({ files: [hook, test], test: test.path, shared }, root, root);
  return { hook: at, test: path.join(root, test.path), files, folders, neighbours };
}

/** Runs the test of the hook that was just written. Its text is Hookline's own, so it needs no trust for that. */
export async function testHookFile(test: string, root: string, home: string | undefined): Promise<TestRun> {
  const options = { root, engine: { trust: 'all', ...(home !== undefined && { home }) } } as const;
  return runTests(await planTests([test], options), options);
}

export interface TrustStep extends Step {
  /** Whether the hook was trusted or denied. */
  readonly isSettled: boolean;
  /** Whether a person was asked and left without an answer. */
  readonly hasLeft: boolean;
}

export async function trustHook(args: Arguments, hook: string, yes: boolean): Promise<TrustStep> {
  const task = trustTask(args, [hook], yes);
  const { err = '' } = await add(task);
  const isOwn = ({ file, root }: TrustEntry): boolean => file === hook && root === task.find.root;
  const isDone = task.trust.list().some(isOwn);
  const isSettled = isDone || task.trust.denied().some(isOwn);
  const says = isDone ? 'The hook is trusted.' : firstLine(err) || 'The hook is not trusted.';
  return { isDone, isSettled, hasLeft: !isSettled && err === '', says, fix: `hookline trust add ${quotedPath(hook)}` };
}

/** The agents that are used on this machine. */
export function agentsHere(folders: Folders): readonly Host[] {
  return HOSTS.filter((host) => isUsedHere(host, folders));
}

export function isInstalled(host: Host, folders: Folders): boolean {
  return installedFiles(host, folders).some(({ lines }) => lines.length > 0);
}

export async function installInto(args: Arguments, host: Host): Promise<Step> {
  const fix = `hookline install ${host.id}`;
  try {
    // As data, because the text for people is for a terminal of its own.
    const values = new Map(args.values).set('json', []);
    const { exit, out = '{}' } = await install.run({ positionals: [host.id], values });
    if (exit === EXIT.ok) return { isDone: true, says: `${host.title} asks Hookline.`, fix };
    return { isDone: false, says: `${host.title} does not ask Hookline: ${problemIn(out)}`, fix };
  } catch (error) {
    return { isDone: false, says: problemOf(error).message, fix };
  }
}

/** Sends a probe through the entry of each agent, as `hookline doctor --canary` does. An agent that is not proven takes nothing from the others. */
export async function proveAgents(args: Arguments, hosts: readonly Host[], folders: Folders): Promise<readonly Step[]> {
  const look = hostLook(folders, process.env);
  const around = { hosts: HOSTS, folders, path: process.env['PATH'] ?? '', look };
  const looked: (Step & { readonly host: Host })[] = [];
  for (const host of hosts) {
    const examined = await examineHost(host, around);
    const { findings } = await canaries(args, [host], [examined]);
    const problem = [...examined.findings, ...findings].find(({ severity }) => severity === 'error');
    looked.push({ host, isDone: !problem, says: problem?.message ?? '', fix: problem?.hint ?? 'Run `hookline doctor --canary`.' });
  }
  const proven = looked.filter(({ isDone }) => isDone).map(({ host }) => host.title);
  const says = `A probe through ${proven.join(', ')} came back denied.`;
  return [...(proven.length > 0 ? [{ isDone: true, says }] : []), ...looked.filter(({ isDone }) => !isDone)];
}

/** Returns the first error of a report, with its place. */
function problemIn(report: string): string {
  const { diagnostics = [] } = JSON.parse(report) as { diagnostics?: readonly Diagnostic[] };
  const { message, file, line, column } = diagnostics.find(({ severity }) => severity === 'error') ?? {
    message: 'The installation failed.',
  };
  const place = [file === undefined ? undefined : shortName(file), line, column].filter((part) => part !== undefined).join(':');
  return place === '' ? message : `${message} (${place})`;
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^hookline: /, '');
}
