/** A finding in code, or in a file that the same command writes, names the call that leads to it. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../src/guard/guard.ts';

/** For each language: how a program runs, its lines, and the line with the call. */
const CODE: readonly (readonly [runs: string, file: string, lines: readonly string[], at: number])[] = [
  ['python3', 'x.py', ['import shutil', 'name = 1', 'shutil.rmtree("/")'], 3],
  ['python3', 'x.py', ['import os', 'os.system("rm -rf /")'], 2],
  ['node', 'x.js', ['const fs = require("fs");', 'fs.rmSync("/", { recursive: true });'], 2],
  ['ruby', 'x.rb', ['require "fileutils"', '', 'FileUtils.rm_rf("/")'], 3],
  ['perl', 'x.pl', ['use strict;', 'system("rm -rf /");'], 2],
  ['bash', 'x.sh', ['set -e', 'echo start', 'rm -rf /'], 3],
];

test.each(CODE)('%s %s: the file, the line and the text of the call are told', (runs, file, lines, at) => {
  const written = `cat > ${file} <<'END'\n${lines.join('\n')}\nEND\n${runs} ${file}`;
  const { decision, findings } = guardCommand(written);
  expect(decision).toBe('deny');
  expect(findings.map(({ source }) => source)).toContainEqual({ file, line: at, call: lines[at - 1] });
});

test.each(CODE.filter(([runs]) => runs !== 'bash'))('%s %s: code in a here-document has its lines too', (runs, _, lines, at) => {
  const { findings } = guardCommand(`${runs} - <<'END'\n${lines.join('\n')}\nEND`);
  expect(findings.map(({ source }) => source)).toContainEqual({ line: at, call: lines[at - 1] });
});

/** Files that a tool runs: the command, the file, its lines, and the line with the call. */
const BY_TOOLS: readonly (readonly [runs: string, file: string, lines: readonly string[], at: number])[] = [
  ['make x', 'Makefile', ['x:', '\trm -rf /'], 2],
  ['just x', 'justfile', ['x:', '  rm -rf /'], 2],
  ['cmake .', 'CMakeLists.txt', ['project(a)', 'execute_process(COMMAND rm -rf $ENV{HOME})'], 2],
  ['go run .', 'main.go', ['package main', 'func main() { os.RemoveAll("/home") }'], 2],
  ['gcc a.c -o a && ./a', 'a.c', ['int main() {', 'return system("rm -rf /"); }'], 2],
  ['pytest', 'tests/test_a.py', ['import shutil', 'shutil.rmtree("/")'], 2],
  ['npx vitest run', 'a.test.js', ['const fs = require("fs");', 'fs.rmSync("/", { recursive: true });'], 2],
  ['pwsh a.ps1', 'a.ps1', ['Get-Date', 'Remove-Item ~ -Recurse -Force'], 2],
];

test.each(BY_TOOLS)('%s: the place in %s is told', (runs, file, lines, at) => {
  const { decision, findings } = guardCommand(`cat > ${file} <<'END'\n${lines.join('\n')}\nEND\n${runs}`);
  expect(decision).not.toBe('none');
  expect(findings.map(({ source }) => source)).toContainEqual({ file, line: at, call: lines[at - 1]?.trim() });
});

test('a finding on the text itself has no other place', () => {
  expect(guardCommand('sudo rm -rf /').findings.every(({ source }) => source === undefined)).toBe(true);
});
