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
    `\n${bold('Hookline tour')}  ${dim(`one agent, ${hooks.length} hooks, five formats: ${[...new Set(hooks.map(({ dialect }) => dialect))].join(', ')}`)}`,
  );
}

/** Shows each boundary at which a hook was asked, and returns the kinds of all boundaries as they are crossed. */
export function showEvents(agent) {
  const crossed = [];
  let call = { tool: '', input: {} };
  agent.observe((event) => {
    if (event.type === 'tool-call') call = event;
    if (event.type === 'tool-result' && call.isShown) console.log(`    ${dim('result')}   ${oneLine(event.result)}`);
    if (event.type !== 'hook') return;
    const { kind, outcome } = event;
    crossed.push(kind);
    if (outcome.hooks.length === 0) return;
    if (kind === 'tool.before') call = { ...call, isShown: outcome.decision === 'pass' || outcome.decision === 'allow' };
    console.log(`\n${bold(`● ${kind}`)}  ${actionOf(kind, call)}`);
    showOutcome(outcome);
  });
  return crossed;
}

const ACTIONS = { 'session.start': 'the session starts', 'prompt.build': 'the prompt is built', 'stop.before': 'the agent wants to stop' };

function actionOf(kind, { tool, input }) {
  if (kind !== 'tool.before') return ACTIONS[kind] ?? '';
  return tool === 'Bash' ? `the agent wants to run  ${input.command}` : `the agent wants to use ${tool}  ${oneLine(input)}`;
}

export function say(text) {
  console.log(`\n${bold('○')} ${text}`);
}

function showOutcome(outcome) {
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
  const text = typeof value === 'string' ? value.replace(/\n+/g, ' ⏎ ') : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
