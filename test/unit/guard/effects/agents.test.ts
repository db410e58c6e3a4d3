/** Nothing here is run: the guard judges commands that would start another agent without its protection. */
import { describe, expect, test } from 'vitest';
import { OTHER_PRODUCTS, OTHER_PROGRAMS } from '../../../../src/agents/kit/other-products.ts';
import { AGENTS } from '../../../../src/builtins.ts';
import { guardCommand } from '../../../../src/guard/guard.ts';

const rules = (command: string) => guardCommand(command, { cwd: '/p', root: '/p', home: '/home/ada' }).findings.map(({ rule }) => rule);
const HOSTS = AGENTS.flatMap(({ host }) => host ?? []);
const STARTS = [
  ...[...HOSTS, ...OTHER_PRODUCTS].map(({ id, unleashed, signs }) => ({ id, unleashed, programs: signs.programs })),
  ...OTHER_PROGRAMS.map(({ title, unleashed, programs }) => ({ id: title, unleashed, programs })),
].flatMap(({ id, unleashed, programs }) => (unleashed ? [{ id, unleashed, programs }] : []));
/** A text that the pattern matches. */
const sample = (glob: string): string => glob.replaceAll('*', 'x');

describe.each(STARTS)('$id', ({ programs, unleashed: { words, env } }) => {
  const names = programs.map((name) => (name.includes('/') ? `npx -y ${name}@latest` : name));
  const lines = words.map((word) => sample(word).replace(/ (.*)$/, " '$1'"));
  test('a start that asks no person, or runs no hooks, is an objection', () => {
    for (const name of names) {
      for (const line of lines) {
        for (const command of [
          `${name} ${line} x`,
          `${name} x ${line}`,
          `${name} ${line.replace(/^(--\S+) /, '$1=')}`,
          `sh -c "timeout 9 ${name} ${line}"`,
          `nohup ${name} ${line} &`,
        ])
          expect(rules(command), command).toContain('agent-unleashed');
      }
      for (const [variable, [value = '']] of Object.entries(env)) {
        for (const command of [
          `${variable}=${sample(value)} ${name}`,
          `env ${variable}=${sample(value)} ${name} x`,
          `export ${variable}=${sample(value)}; ${name}`,
        ])
          expect(rules(command), command).toContain('agent-unleashed');
      }
      expect(rules(`HOME=/tmp/x ${name}`)).toContain('agent-unleashed');
    }
  });
  test('a plain start, and a text about another, are none', () => {
    for (const name of names) {
      for (const command of [
        name,
        `${name} 'please explain ${lines[0]?.replaceAll("'", '')}'`,
        `HOME=$HOME ${name}`,
        `FOO=1 ${name} x`,
        `${name} --help ${lines[0]}`,
      ])
        expect(rules(command), command).not.toContain('agent-unleashed');
    }
    expect(rules(`echo ${programs[0]} ${lines[0]}`)).toEqual([]);
  });
});

test.each(
  HOSTS.flatMap(({ entry: { movedBy }, signs, unleashed }) => (movedBy && unleashed ? [{ ...movedBy, program: signs.programs[0] }] : [])),
)('$variable moves the settings of $program away', ({ variable, holds, program }) => {
  for (const place of ['/tmp/x', './x', '$(mktemp -d)']) {
    expect(rules(`${variable}=${place} ${program}`)).toContain('agent-unleashed');
    expect(rules(`export ${variable}=${place}\n${program} x`)).toContain('agent-unleashed');
  }
  expect(rules(`${variable}=~/${holds} ${program}`)).toEqual([]);
  expect(rules(`${variable}="$HOME/${holds}/" ${program}`)).toEqual([]);
});
