/**
 * A soak of ordinary commands: those of this project's own scripts, its documentation and its checks. None of them is stopped, except where the
 * documentation shows a stop. The texts are only ever judged, never run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../src/guard/guard.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const folders = { cwd: '/home/ada/hookline', root: '/home/ada/hookline', home: '/home/ada' };
const decide = (text: string) => guardCommand(text, folders).decision;
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

/** Acts of a person on Hookline itself, which an agent is asked about or may not do. */
const OF_A_PERSON =
  /\bhookline (?:install|uninstall|serve|trust|approvals|log (?:prune|import)|pause|resume|mcp|fire .*--trust|hook)|--trust-|HOOKLINE_|\.claude\/settings|settings\.json/;

const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;

test.each(Object.entries(scripts))('the script %s is not stopped', (_, script) => {
  expect([script, decide(script)]).toEqual([script, 'none']);
});

test.each(Object.keys(scripts))('npm run %s is not stopped', (name) => {
  expect(decide(`npm run ${name}`)).toBe('none');
});

/** The lines of shell blocks, and whole scripts. A comment behind a line that names an exit code marks a command that is meant to be stopped. */
function linesIn(markdown: string): readonly string[] {
  const blocks = Array.from(markdown.matchAll(/^```(?:sh|bash|console)\b[^\n]*\n([\s\S]*?)^```/gm), (match) => match[1] ?? '');
  return blocks
    .flatMap((block) =>
      /^#!/m.test(block) ? [block.replace(/[\s\S]*?^#!.*\n/m, '').replace(/^#.*\n/gm, '')] : block.replace(/\\\n\s*/g, '').split('\n'),
    )
    .map((line) => line.replace(/^\$\s+/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/#.*exit [12]/.test(line) && !OF_A_PERSON.test(line));
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(PROJECT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe.each(pages.filter((page) => linesIn(read(page)).length > 0))('%s', (page) => {
  test('has no command that is denied', () => {
    const denied = linesIn(read(page)).filter((line) => decide(line) === 'deny');
    expect(denied).toEqual([]);
  });
});

test('of all commands in the documentation, at most one in twenty is asked about', () => {
  const lines = pages.flatMap((page) => linesIn(read(page)));
  const asked = lines.filter((line) => decide(line) === 'ask');
  expect(lines.length).toBeGreaterThan(40);
  expect({ share: asked.length / lines.length <= 0.05, asked: asked.length > lines.length * 0.05 ? asked : [] }).toEqual({
    share: true,
    asked: [],
  });
});
