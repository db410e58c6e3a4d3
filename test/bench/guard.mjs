// What the guard costs in the process, over the examples of all its rules, and on texts made to keep it busy. Nothing is run.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseShell } from 'unbash';
import { parse } from 'yaml';
import { guardCommand } from '../../dist/guard.js';
import { median, row } from './measure.mjs';

const ROUNDS = 5;
const folder = path.join(import.meta.dirname, '../../src/guard/rules');

const SIZE = 127 * 1024;
const filled = (unit) => unit.repeat(Math.floor(SIZE / unit.length));

/** Texts as long as the guard takes. Each is judged whole, or a limit of steps ends it with a question. */
const SHAPES = {
  commands: 'echo "$(date)" | tee -a log.txt; '.repeat(3900),
  lines: filled('ls -l src\n'),
  'a pipeline': `cat a${filled(' | sort')}`,
  'a quoted argument': `git commit -m "${filled('some words here; rm things\n')}"`,
  'a here-document': `cat <<'EOF' > file.txt\n${filled('line of text with $var\n')}EOF\n`,
  'a here-document with expansions': `cat <<EOF > file.txt\n${filled('line of $text\n')}EOF\n`,
  quotes: `echo ${filled(`"a"'b'"c\\"d"$'e' `)}`,
  substitutions: filled('echo $(echo $(echo $(echo $(date)))); '),
  operands: `rm -f ${filled('file.o ')}`,
  loops: filled('for x in a b c d; do echo $x; done\n'),
  assignments: filled('A=1; B=$A; '),
  'a build script': filled(`set -eu
cd "$(dirname "$0")"
VERSION=\${VERSION:-1.0}
for arch in amd64 arm64; do
  docker build --build-arg VERSION="$VERSION" -t "app:$VERSION-$arch" .
  mkdir -p "dist/$arch" && cp -r build/* "dist/$arch/"
  tar -czf "dist/app-$arch.tar.gz" -C "dist/$arch" .
done
if [ -n "\${CI:-}" ]; then npm ci; else npm install; fi
npm run build 2>&1 | tee build.log
curl -fsSL https://example.com/file -o file.tgz
rm -rf build tmp/*.o
`),
  Python: `python3 <<'EOF'\n${filled('x = open("a").read()\n')}EOF\n`,
  'comments of SQL': `psql -c "${filled('/* * ')}"`,
  'lines of SQL': `psql <<'E'\n${filled('\n')}\nE`,
  'copies in SQL': `psql -c "${filled('copy ')}"`,
  'a script of an editor': `cat > a.vim <<'E'\n${filled('\n')}\nE\nvim -es -S a.vim`,
  'words of a copy': `aws s3 '${filled('cp ')}'`,
  JavaScript: `node -e '${filled('const x = foo(1, [2, 3]);\n')}'`,
};

export async function guard() {
  const commands = examples();
  // Once unmeasured: an agent's process is warm by the second command.
  for (const command of commands) guardCommand(command);
  // The median of each command's rounds: what is left out is the machine's noise, not a slow command.
  const times = commands.map((command) => median(rounds(() => guardCommand(command)))).sort((a, b) => a - b);
  const largest = Object.fromEntries(Object.entries(SHAPES).map(([name, text]) => [name, median(rounds(() => guardCommand(text), cpu))]));
  const slowest = Object.keys(largest).reduce((one, other) => (largest[other] > largest[one] ? other : one));
  const parsed = commands.map((command) => median(rounds(() => parseShell(command))));
  return [
    row(`guard, ${commands.length} commands, median`, median(times), 'ms', 0.3),
    row('guard, at 99 %', times[Math.floor(times.length * 0.99)], 'ms', 3),
    row('  the parser alone, median', median(parsed), 'ms'),
    row('guard, 128 KB of commands (CPU)', largest.commands, 'ms', 100),
    row(`guard, the slowest of ${Object.keys(largest).length} shapes of 128 KB (CPU): ${slowest}`, largest[slowest], 'ms', 100),
    row(
      'guard, 10,000 nested parentheses',
      timed(() => guardCommand(`${'('.repeat(10_000)}rm -rf /${')'.repeat(10_000)}`)),
      'ms',
      2000,
    ),
  ];
}

function examples() {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parse(readFileSync(path.join(folder, file), 'utf8')).rules)
    .flatMap(({ tests }) => [...tests.block, ...tests.allow]);
}

function rounds(run, measured = timed) {
  return Array.from({ length: ROUNDS }, () => measured(run));
}

/** CPU time, because other work on the machine must not count. */
function cpu(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function timed(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}
