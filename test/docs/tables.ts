/**
 * Tables of the documentation that follow from the code. A test compares them, and `UPDATE_DOCS=1` writes them, so a new agent
 * needs no edit here. A cell that only a person can write is `undefined`: it stays as it is.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { headUnder, readPage, repository, tableUnder } from './pages.ts';

export type Row = readonly (string | undefined)[];

/** The cell of a list of names; a dash if there is none. */
export function namesCell(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ');
}

/** The first table under a heading has exactly these rows, and this head if one is given. */
export function expectTable(name: string, heading: string, rows: readonly Row[], head?: readonly string[]): void {
  const page = readPage(name);
  const documented = { head: headUnder(page, heading), rows: tableUnder(page, heading) };
  const written = new Map(documented.rows.map((row) => [row[0], row]));
  const wanted = {
    head: head ?? documented.head,
    rows: rows.map((row) => row.map((cell, index) => cell ?? written.get(row[0] ?? '')?.[index] ?? '–')),
  };
  if (process.env['UPDATE_DOCS']) writeTable(name, heading, wanted.head, wanted.rows);
  else expect(documented).toEqual(wanted);
}

function writeTable(name: string, heading: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const file = path.join(repository, name);
  const lines = readFileSync(file, 'utf8').split('\n');
  const start = lines.findIndex((line, index) => line.startsWith('|') && index > lines.indexOf(`## ${heading}`));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const table = [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)];
  lines.splice(start, length < 0 ? lines.length : length, ...table);
  writeFileSync(file, lines.join('\n'));
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
