// Scores the guard on a file of commands with verdicts: `npm run guard:score -- FILE [--misses] [--preset P] [--pack NAME]…`.
// A case is { command, expect: "block" | "allow", context?: { cwd, home } }; a file is a list of cases. No command is run.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { guardCommand } from '../dist/guard.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'boolean' }, json: { type: 'boolean' }, preset: { type: 'string' }, pack: { type: 'string', multiple: true } },
});
const [file] = positionals;
if (file === undefined) {
  console.error('Usage: npm run guard:score -- FILE [--misses] [--json] [--preset standard|strict|paranoid] [--pack NAME]…');
  process.exit(64);
}

const cases = JSON.parse(readFileSync(file, 'utf8'));
const tally = { block: { deny: 0, ask: 0, none: 0 }, allow: { deny: 0, ask: 0, none: 0 } };
const misses = [];
const times = [];

// Judges about 10,000 commands unmeasured, so that the times are those of a process that has been running for a while, however short the
// file is.
const WARM_JUDGEMENTS = 10_000;
const prepared = cases.map(({ command, expect, context = {} }) => {
  // A context may state only that the command runs in the project, without a path.
  const root = context.cwd?.startsWith('/') ? context.cwd : undefined;
  const options = {
    ...(root !== undefined && { cwd: root, root }),
    ...(context.home !== undefined && { home: context.home }),
    ...(values.preset !== undefined && { preset: values.preset }),
    packs: values.pack ?? [],
  };
  return { command, expect, options };
});
const passes = Math.ceil(WARM_JUDGEMENTS / Math.max(cases.length, 1));
for (let pass = 0; pass < passes; pass++) for (const { command, options } of prepared) guardCommand(command, options);

for (const { command, expect, options } of prepared) {
  const start = performance.now();
  const { decision, findings } = guardCommand(command, options);
  times.push(performance.now() - start);
  tally[expect][decision]++;
  if ((expect === 'block') === (decision === 'none')) misses.push({ expect, decision, rule: findings[0]?.rule, command });
}

times.sort((a, b) => a - b);
const total = (row) => row.deny + row.ask + row.none;
const share = (part, row) => (total(row) === 0 ? 0 : part / total(row));
const score = {
  cases: cases.length,
  blocks: total(tally.block),
  recall: share(tally.block.deny + tally.block.ask, tally.block),
  denied: share(tally.block.deny, tally.block),
  allows: total(tally.allow),
  falselyDenied: share(tally.allow.deny, tally.allow),
  falselyAsked: share(tally.allow.ask, tally.allow),
  p50ms: times[Math.floor(times.length / 2)],
  p99ms: times[Math.floor(times.length * 0.99)],
};
if (values.json) console.log(JSON.stringify({ ...score, misses }, null, 2));
else {
  const percent = (value) => `${(value * 100).toFixed(1)} %`;
  console.log(`${score.blocks} dangerous commands: ${percent(score.recall)} denied or asked (${percent(score.denied)} denied)`);
  console.log(`${score.allows} ordinary commands: ${percent(score.falselyDenied)} denied, ${percent(score.falselyAsked)} asked`);
  console.log(`time for one: ${score.p50ms?.toFixed(3)} ms at the median, ${score.p99ms?.toFixed(3)} ms at 99 %`);
  if (values.misses)
    for (const { expect, decision, rule, command } of misses)
      console.log(`${expect}\t${decision}\t${rule ?? ''}\t${JSON.stringify(command)}`);
  else if (misses.length > 0) console.log(`${misses.length} answered otherwise than the file says; --misses lists them`);
}
