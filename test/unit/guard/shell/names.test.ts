/** Names of programs: a version at the end is no part of the name, where the program has versions. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../src/guard/guard.ts';
import { unversioned } from '../../../../src/guard/shell/names.ts';

const VERSIONS = ['', '3', '3.12', '2.7.18'];

test('a version of digits and dots is left out, and nothing else', () => {
  for (const name of ['python', 'x', 'g++', 'a-b', 'b64x']) for (const version of VERSIONS) expect(unversioned(name + version)).toBe(name);
  expect(unversioned('3.12')).toBe('');
  expect(unversioned('')).toBe('');
});

test('an interpreter is the same in every version, and a shell has no version that starts with a dot', () => {
  const decision = (command: string): string => guardCommand(command).decision;
  for (const version of VERSIONS) {
    expect(decision(`python${version} -c 'import shutil; shutil.rmtree("/")'`)).toBe('deny');
    expect(decision(`perl${version} -e 'system("rm -rf /")'`)).toBe('deny');
    expect(decision(`bash${version} -c 'rm -rf /'`)).toBe('deny');
  }
  expect(decision(`sh.5 -c 'date'`)).toBe('none');
  expect(guardCommand(`sh.5 -c 'date'`).commands).toHaveLength(1);
});
