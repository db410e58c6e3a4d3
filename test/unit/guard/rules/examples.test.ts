/** Every rule carries its own examples; a rule that misses one of them, or accuses one of the others, is wrong. Nothing is run. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { guardCommand } from '../../../../src/guard/guard.ts';

interface Sheet {
  readonly pack?: string;
  readonly rules: readonly {
    readonly id: string;
    readonly tests: { readonly block: readonly string[]; readonly allow: readonly string[] };
  }[];
}

const project = path.join(import.meta.dirname, '../../../..');
const folder = path.join(project, 'src/guard/rules');
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

test('the compiled rules are what the sheets say', () => {
  expect(() => execFileSync(process.execPath, [path.join(project, 'scripts/compile-rules.mjs'), '--check'])).not.toThrow();
});

describe.each(sheets)('%s', (file) => {
  const sheet: Sheet = parse(readFileSync(path.join(folder, file), 'utf8'));
  const rulesFor = (command: string) =>
    guardCommand(command, { packs: sheet.pack === undefined ? [] : [sheet.pack] }).findings.map(({ rule }) => rule);
  for (const { id, tests } of sheet.rules) {
    test.each(tests.block)(`${id} accuses %j`, (command) => expect(rulesFor(command)).toContain(id));
    test.each(tests.allow)(`${id} has nothing against %j`, (command) => expect(rulesFor(command)).not.toContain(id));
  }
});
