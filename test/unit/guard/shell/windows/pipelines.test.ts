/**
 * PowerShell that deletes what another statement lists: each carrier × each way to list × each target. Some of the paths are never all of them.
 * Texts are only ever read here, never run.
 */
import { expect, test } from 'vitest';
import { guardTool } from '../../../../../src/guard/tools/guard-tool.ts';

const options = { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' };
const decide = (command: string) => guardTool('PowerShell', { command }, options).decision;

const TARGETS = ['$HOME', '~', 'C:\\', '"C:\\Users"', '$env:USERPROFILE'];
const LISTS = ['Get-ChildItem % -Recurse', 'gci % -r', 'Get-ChildItem -Path % -Recurse -Force', 'dir % -Recurse -File'];
/** Ways in which a deletion gets a list. */
const CARRIERS: Readonly<Record<string, (list: string) => string>> = {
  'a pipe': (list) => `${list} | Remove-Item -Force`,
  'a block': (list) => `${list} | ForEach-Object { Remove-Item $_.FullName -Force }`,
  'a short block': (list) => `${list} | % { ri $_ }`,
  'a method': (list) => `${list} | % { $_.Delete() }`,
  'a loop': (list) => `foreach ($f in ${list}) { Remove-Item $f.FullName }`,
  'a variable': (list) => `$all = ${list}; $all | Remove-Item`,
  'a variable and a loop': (list) => `$all = ${list}\nforeach ($f in $all) { Remove-Item $f }`,
  'brackets in a variable': (list) => `$all = (${list}); $all | Remove-Item -Force`,
  'a sorted list': (list) => `${list} | Sort-Object Length | Remove-Item -Force`,
};

test.each(Object.entries(CARRIERS))('all that is listed is deleted through %s', (_, carry) => {
  for (const target of TARGETS)
    for (const list of LISTS) {
      const command = carry(list.replace('%', target));
      expect([command, decide(command)]).toEqual([command, 'deny']);
    }
  for (const list of LISTS) expect(decide(carry(list.replace('%', 'dist')))).toBe('none');
});

test.each(Object.entries(CARRIERS))('a list of some files is not all of them: %s', (_, carry) => {
  for (const pick of ["Where-Object { $_.Name -eq 'bin' }", "? Extension -eq '.tmp'", 'Select-Object -First 3']) {
    const command = carry(`Get-ChildItem . -Recurse | ${pick}`);
    expect([command, decide(command)]).toEqual([command, 'none']);
  }
});

test.each(['Remove-Item', 'ri', 'rm', 'del'])('%s in a variable is the same command, and so is its target', (verb) => {
  for (const target of TARGETS) {
    const [first, rest] = [verb.slice(0, 1), verb.slice(1)];
    for (const command of [
      `$c = '${verb}'; & $c -Recurse -Force ${target}`,
      `$c='${first}'+'${rest}'; & $c -Recurse -Force ${target}`,
      `$p = ${target}; ${verb} -Recurse -Force $p`,
      `$p = ${target}; $q = $p; ${verb} $q -Recurse`,
      `$out = ${verb} ${target} -Recurse -Force`,
    ])
      expect([command, decide(command)]).toEqual([command, 'deny']);
  }
  expect(decide(`$c = '${verb}'; & $c -Recurse -Force dist`)).toBe('none');
});

test('the method of a value that is looked up deletes it', () => {
  for (const command of ['(Get-Item $HOME).Delete($true)', '$d = Get-Item $HOME; $d.Delete($true)', '(gi ~).Delete()'])
    expect([command, decide(command)]).toEqual([command, 'deny']);
  for (const command of ['(Get-Item dist).Delete($true)', '$d = Get-Item a.txt; $d.Delete()', '$list.Delete(3)'])
    expect([command, decide(command)]).toEqual([command, 'none']);
});
