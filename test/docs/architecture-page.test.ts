/** A newcomer who follows ARCHITECTURE.md finds each hop: every file it names exists, and every function or class is declared there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeIn, readPage, repository, tableUnder } from './pages.ts';

const page = readPage('ARCHITECTURE.md');
const names = [...new Set(page.prose.flatMap(codeIn))];
const hops = names.filter((name) => /^[\w/.-]+\.ts#\w+$/.test(name));
const files = names.filter((name) => /^(?:\w[\w-]*\/)+[\w.-]+\.(?:ts|js)$/.test(name));

/** Whether a file declares a function, a member that is one, or a class of this name. */
function declares(file: string, name: string): boolean {
  const text = readFileSync(path.join(repository, 'src', file), 'utf8');
  const declaration = new RegExp(
    String.raw`\b(?:function\*?|class) ${name}\b|\b(?:const|let) ${name}(?:: [^=\n]+)? =|^\s+(?:async )?${name}\([^\n]*\{$|\b${name}: (?:async )?(?:\(|function\b|\w+ =>)`,
    'm',
  );
  return declaration.test(text);
}

test('it names the path of one event', () => {
  expect(hops.length).toBeGreaterThan(20);
});

test.each(hops)('%s exists', (hop) => {
  const [file = '', name = ''] = hop.split('#');
  expect(existsSync(path.join(repository, 'src', file)), `${file} does not exist`).toBe(true);
  expect(declares(file, name), `${file} declares no function ${name}`).toBe(true);
});

test.each(files)('the file %s exists', (file) => {
  expect(['.', 'src'].some((base) => existsSync(path.join(repository, base, file)))).toBe(true);
});

describe('the table of rooms', () => {
  test('has every folder of src/, once', () => {
    const rooms = tableUnder(page, 'Rooms').map(([room]) => codeIn(room)[0]?.replace('/', ''));
    const folders = readdirSync(path.join(repository, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect([...rooms].sort()).toEqual(folders.map(({ name }) => name).sort());
  });
});
