// Projects with many HOOK.md hooks, none of which matches what the benchmarks fire. The matchers are of the kinds that people write.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const base = mkdtempSync(path.join(tmpdir(), 'hookline-bench-'));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));

/** An empty folder of its own. */
export function folder(name) {
  const made = path.join(base, name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** Names, alternations, anchors, prefixes, and texts in the input of other tools: what most people write. */
const PLAIN = [
  (i) => ({ tool: `Tool${i}` }),
  () => ({ tool: 'Write|Edit|MultiEdit' }),
  () => ({ tool: '^Bash$' }),
  (i) => ({ tool: `^mcp__server${i}__` }),
  (i) => ({ tool: 'Bash', pattern: `rm -rf /data/${i}` }),
  (i) => ({ tool: 'Write|Edit', pattern: `secret_${i}|\\.pem` }),
  (i) => ({ tool: `Read${i}|Fetch${i}` }),
  () => ({ tool: 'Bash', pattern: 'git push --force|git reset --hard' }),
  (i) => ({ tool: `mcp__server${i}__write` }),
  (i) => ({ tool: `^Deploy${i}$` }),
];
/** And a few that need a real engine for regular expressions. */
const MIXED = [
  ...PLAIN,
  (i) => ({ tool: `^(Task|Agent)_[a-z]+_${i}$` }),
  (i) => ({ tool: 'Write', pattern: `/v\\d{1,3}/.*\\.(py|rb)${i}` }),
];

/** The frontmatter of each, in order. With another first number the patterns are others too. */
export function frontmatters(count, first = 0) {
  return Array.from({ length: count }, (_, at) => frontmatter(first + at));
}

function frontmatter(i) {
  return {
    name: `hook-${i}`,
    description: `Watches over case number ${i} of the house rules`,
    trigger: 'before_tool',
    matcher: MIXED[i % MIXED.length](i),
    timeout: 5000,
    priority: (i * 37) % 1000,
  };
}

/** A folder with so many hooks, the first ten of which are plain; give it to createHookline as `hooks`. */
export function hookFolder(count, first = 0) {
  const made = folder(`hooks-${count}-${first}`);
  for (const front of frontmatters(count, first)) {
    const home = path.join(made, front.name);
    mkdirSync(path.join(home, 'scripts'), { recursive: true });
    writeFileSync(path.join(home, 'HOOK.md'), `---\n${yaml(front)}---\n\n# ${front.name}\n\nKeeps the house in order.\n`);
    writeFileSync(path.join(home, 'scripts/run.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  }
  return made;
}

function yaml({ matcher, ...front }) {
  const lines = Object.entries(front).map(([key, value]) => `${key}: ${value}`);
  const matching = Object.entries(matcher).map(([key, value]) => `  ${key}: '${value}'`);
  return [...lines, 'matcher:', ...matching, ''].join('\n');
}
