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

const HOMES = [
  "[Environment]::GetFolderPath('UserProfile')",
  '[System.Environment]::GetFolderPath("UserProfile")',
  '[Environment]::GetFolderPath([Environment+SpecialFolder]::UserProfile)',
  "[Environment]::GetEnvironmentVariable('USERPROFILE')",
];
test.each(HOMES)('the home as .NET computes it is the home: %s', (home) => {
  for (const form of ['Remove-Item (%) -Recurse -Force', '$p = %; ri $p -r -fo', '[IO.Directory]::Delete(%, $true)']) {
    const command = form.replace('%', () => home);
    expect([command, decide(command)]).toEqual([command, 'deny']);
  }
  expect(decide(`Get-ChildItem (${home})`)).toBe('none');
});

test('a block that is made of a text runs it', () => {
  for (const form of ["& ([scriptblock]::Create('%'))", '. ([ScriptBlock]::Create("%"))', "&([scriptblock]::Create('%'))"]) {
    const command = form.replace('%', 'Remove-Item ~ -Recurse -Force');
    expect([command, decide(command)]).toEqual([command, 'deny']);
    expect(decide(form.replace('%', 'Get-Date'))).toBe('none');
  }
});

test('every file has a name for `*.*` of cmd', () => {
  for (const command of ['del /q C:\\Users\\ada\\*.*', 'echo y | del %USERPROFILE%\\*.*'])
    expect([command, decide(`cmd /c "${command}"`)]).toEqual([command, 'deny']);
  expect(decide('cmd /c "del build\\*.*"')).toBe('none');
});

test('a condition that asks only for the kind of a file leaves none out', () => {
  for (const kind of ['Where-Object { !$_.PSIsContainer }', '? { -not $_.PSIsContainer }', 'where PSIsContainer'])
    for (const list of ['Get-ChildItem $HOME -Recurse', 'gci ~ -r -Force']) {
      const command = `${list} | ${kind} | Remove-Item -Force`;
      expect([command, decide(command)]).toEqual([command, 'deny']);
    }
});

test('each path of a list in brackets counts', () => {
  for (const form of [
    'foreach ($d in @(%)) { Remove-Item -LiteralPath $d -Recurse -Force }',
    '$l = @(%); $l | Remove-Item -Recurse -Force',
    '$l = @(%); foreach ($d in $l) { Remove-Item $d -Recurse -Force }',
  ]) {
    expect(decide(form.replace('%', () => '"C:\\temp\\a", $HOME'))).toBe('deny');
    expect(decide(form.replace('%', () => '"bin", "obj"'))).toBe('none');
  }
});
