/** Laws about the files of an adapter that every version of its SDK must keep: its page and its example run, and its types compile against the SDK. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SdkFacts } from '../../src/sdk/kit/capabilities.ts';
import { compileExamples, isCompiled } from '../docs/compile-examples.ts';
import { readPage, repository } from '../docs/pages.ts';
import { runPage } from '../docs/run-page.ts';
import { type SdkProject, sdkProject } from './install.ts';
import type { SdkVersion } from './versions.ts';

/** The observations of `agents/<id>-own.mjs`, by the name of the scene. */
export type Scenes = () => Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>;

/** Defines the laws of the page of an adapter. */
export function pageLaws(id: string, { folder, node }: SdkProject): void {
  const page = readPage(`docs/sdks/${id}.md`);
  const modules = path.join(folder, 'node_modules');

  test('the page runs', async () => {
    expect(await runPage(page, { modules, node })).toEqual([]);
  });

  test('the programs of the page compile under the strictest settings, with the types of the SDK', async () => {
    expect(isCompiled(page, modules)).toBe(true);
    expect(await compileExamples([page], modules)).toEqual([]);
  });
}

/**
 * @param types a program that uses every export of the adapter
 * @param more defines the laws of this SDK alone
 */
export function describeProject({ id }: SdkFacts, version: SdkVersion, types: string, more: (scenes: Scenes) => void): void {
  const { folder, node } = sdkProject(version);
  const run = (file: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): string =>
    execFileSync(node, [file, ...args], { encoding: 'utf8', cwd: folder, env: { PATH: process.env['PATH'], ...env } });
  let seen: ReturnType<Scenes> | undefined;
  const observe: Scenes = async () => {
    cpSync(path.join(import.meta.dirname, 'agents'), path.join(folder, 'agents'), { recursive: true });
    return JSON.parse(
      run(path.join(folder, 'agents', `${id}-own.mjs`))
        .trimEnd()
        .split('\n')
        .at(-1) ?? '',
    );
  };
  describe(`${id} ${version.version} in a project`, () => {
    pageLaws(id, { folder, node });

    test('the example is held, approved and resumed, each in a process of its own', () => {
      const state = mkdtempSync(path.join(tmpdir(), 'hookline-example-'));
      onTestFinished(() => rmSync(state, { recursive: true, force: true }));
      cpSync(path.join(repository, 'examples/sdks', id), path.join(folder, 'example'), { recursive: true });
      const start = (...args: string[]): string => run(path.join(folder, 'example/agent.mjs'), args, { AGENT_STATE: state });
      expect(start()).toContain('waits for a person');
      expect(start('approve')).toContain('approved');
      expect(start().trim()).toBe('deployed to production');
    });

    test('the types of the adapter fit the types of the SDK', () => {
      writeFileSync(path.join(folder, 'types.ts'), types);
      const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: true, types: [] };
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
      writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
      const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
      expect(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', stdio: 'pipe' })).not.toThrow();
    });

    more(() => (seen ??= observe()));
  });
}
