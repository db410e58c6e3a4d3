// Prints the tour: one block per event, one line per hook.
import { explain, explainHook } from 'hookline';

const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const bold = (text) => paint(1, text);
const dim = (text) => paint(2, text);
const COLOUR_OF = { pass: 32, allow: 32, ask: 33, hold: 33, deny: 31 };
const MARK_OF = { pass: '✓', allow: '✓', ask: '?', hold: '⏸', deny: '✗' };

export function showTitle(hooks) {
  console.log(
    `\n${bold('Hookline tour')}  ${dim(`one session, ${hooks.length} hooks, five formats: ${[...new Set(hooks.map(({ dialect }) => dialect))].join(', ')}`)}`,
  );
}

export function showEvent(kind, action) {
  console.log(`\n${bold(`● ${kind}`)}  ${action}`);
}

export function say(text) {
  console.log(`\n${bold('○')} ${text}`);
}

export function showOutcome(outcome) {
  for (const hook of outcome.hooks) console.log(`  │ ${hookLine(hook)}`);
  console.log(`  └ ${paint(COLOUR_OF[outcome.decision], verdictOf(outcome))}`);
  if (outcome.rewrite !== undefined) console.log(`    ${dim('now')}      ${oneLine(outcome.rewrite)}`);
  for (const text of outcome.context) console.log(`    ${dim('context')}  ${text}`);
  for (const text of outcome.notices) console.log(`    ${dim('notice')}   ${text}`);
}

function hookLine(hook) {
  const { name, dialect, event, status, decision, ms } = hook;
  const mark = status === 'skipped' ? dim('–') : paint(COLOUR_OF[decision] ?? 2, MARK_OF[decision] ?? '…');
  const time = ms === undefined ? '' : `${ms.toFixed(1)} ms`;
  return `${mark} ${name.padEnd(29)} ${dim(`${dialect} ${event}`.padEnd(30))} ${dim(time.padStart(8))}  ${explainHook(hook)}`;
}

function verdictOf(outcome) {
  if (outcome.rewrite !== undefined && outcome.decision === 'pass') return 'Passed, with a rewritten input.';
  return explain(outcome);
}

function oneLine(value) {
  return typeof value === 'string' ? value.replaceAll('\n', ' ⏎ ') : JSON.stringify(value);
}
