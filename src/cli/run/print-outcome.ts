/** Prints the outcome of a firing: the event, one line per hook, the decision and its reason, and the next step. */
import type { DecisionKind } from '../../core/decision/decision.ts';
import { explain, explainHook, explainJudge, failedHooks } from '../../core/decision/explain.ts';
import type { HookReport, Outcome } from '../../core/decision/outcome.ts';
import { kindRule } from '../../core/event/event.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Request } from '../input/fire-request.ts';
import { renderBriefly, renderFileProblems } from '../print/diagnostics.ts';
import { headline, rewriteLines } from '../print/event-line.ts';
import type { Style } from '../print/style.ts';
import { block, cutWords, fit, oneLine, pad, placeText, plural, widthOf } from '../print/text.ts';

/** @param ofFiles the problems of the hook files, which are no part of what this event did */
export function renderOutcome(outcome: Outcome, request: Request, style: Style, ofFiles: readonly Diagnostic[] = []): string {
  return [
    headline(request, style),
    hookLines(outcome, style),
    verdict(outcome, style),
    rewriteLines('rewritten', before(request), outcome.rewrite, style),
    rewriteLines('result replaced', cameBack(request), outcome.replace, style),
    texts('context for the agent', outcome.context, style),
    texts('for the user', outcome.notices, style),
    renderBriefly(
      outcome.diagnostics.filter(({ severity }) => severity !== 'info'),
      style,
    ),
    renderFileProblems(
      ofFiles.filter(({ severity }) => severity !== 'info'),
      style,
    ),
    next(outcome, style),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function before({ kind, data }: Request): Request['data'][string] {
  const key = kindRule(kind).rewrites?.key;
  return key === undefined ? undefined : data[key];
}

function cameBack({ kind, data }: Request): Request['data'][string] {
  const key = kindRule(kind).replaces?.key;
  return key === undefined ? undefined : data[key];
}

function hookLines({ hooks, unmatched }: Outcome, style: Style): string {
  const others = unmatched === 0 ? '' : style.dim(`  ${plural(unmatched, 'other hook')} did not apply\n`);
  if (hooks.length === 0) return others;
  const names = Math.min(24, Math.max(...hooks.map(({ name }) => widthOf(oneLine(name)))));
  const events = Math.min(32, Math.max(...hooks.map((hook) => widthOf(eventOf(hook)))));
  return `${hooks.map((hook) => hookLine(hook, names, events, style)).join('\n')}\n${others}`;
}

/** The reply of a hook is next to its name if the whole line fits, else below it. */
function hookLine(hook: HookReport, names: number, events: number, style: Style): string {
  const time = hook.ms === undefined ? '' : `${hook.ms < 10 ? hook.ms.toFixed(1) : Math.round(hook.ms)} ms`;
  const place = placeText({ file: hook.source.file, line: hook.source.line });
  const judge = explainJudge(hook);
  const text = oneLine(`${explainHook(hook)}${judge === undefined ? '' : ` (${judge})`}`);
  const lead = `  ${symbol(hook, style)} ${pad(oneLine(hook.name), names)}  ${style.dim(pad(eventOf(hook), events))}`;
  const whole = [lead, text, ...[time, place].filter((part) => part !== '').map((part) => style.dim(part))].join('  ');
  if (widthOf(whole) <= style.columns) return whole;
  const head = time === '' ? lead.trimEnd() : `${lead}  ${style.dim(time)}`;
  return [
    fit(head, style.columns),
    block(cutWords(text, MOST_OF_A_TEXT), BELOW, style.columns),
    style.dim(block(place, BELOW, style.columns)),
  ].join('\n');
}

const BELOW = '      ';
/** The reason of a denial follows as a whole. */
const MOST_OF_A_TEXT = 200;

function eventOf({ dialect, event }: HookReport): string {
  return `${dialect} · ${oneLine(event)}`;
}

function symbol({ status, decision }: HookReport, style: Style): string {
  if (status === 'skipped') return style.dim('-');
  if (status === 'detached') return style.cyan('»');
  if (status === 'faulted') return decision === 'deny' ? style.red('!') : style.yellow('!');
  return decision === 'deny' ? style.red('✗') : decision === 'hold' || decision === 'ask' ? style.yellow('?') : style.green('✓');
}

const SIGN: Readonly<Record<DecisionKind, string>> = { pass: '✓', allow: '✓', ask: '?', hold: '?', deny: '✗' };

function verdict(outcome: Outcome, style: Style): string {
  const { decision, halt, ticket } = outcome;
  const isDoubtful = (decision === 'pass' || decision === 'allow') && failedHooks(outcome).length > 0;
  const sign = isDoubtful ? '!' : SIGN[decision];
  const paint = decision === 'deny' ? style.red : decision === 'hold' || decision === 'ask' || isDoubtful ? style.yellow : style.green;
  const lines = block(explain(outcome), '  ', style.columns).trimStart().split('\n');
  const shown = lines.map((line, i) => (i === 0 ? `${paint(style.bold(`${sign} ${line}`))}` : line));
  if (halt !== undefined) shown.push(style.red(block(`The whole run stops: ${halt}`, '  ', style.columns)));
  if (ticket) shown.push(style.dim(`  ticket ${ticket.id}, until ${ticket.expiresAt}`));
  return `${shown.join('\n')}\n`;
}

function texts(title: string, list: readonly string[], style: Style): string {
  if (list.length === 0) return '';
  return `${style.dim(`  ${title}`)}\n${list.map((text) => block(text, '    ', style.columns)).join('\n')}\n`;
}

function next({ decision: outcome, hooks, ticket }: Outcome, style: Style): string {
  const untrusted = hooks.filter(({ skip }) => skip === 'untrusted').length;
  const steps: string[] = [];
  if (hooks.some(({ skip }) => skip?.startsWith('modified')))
    steps.push(
      'A hook has changed since it was trusted and did not run. Run `hookline trust diff` to see the changes, then `trust add` or `trust remove`.',
    );
  if (untrusted > 0) {
    const [are, them] = untrusted === 1 ? ['is', 'it'] : ['are', 'them'];
    steps.push(
      `${plural(untrusted, 'project hook')} ${are} not trusted yet and did not run. Run \`hookline trust add\` to review ${them}.`,
    );
  }
  if (outcome !== 'deny' && hooks.some(({ status, decision }) => status === 'faulted' && decision !== 'deny')) {
    steps.push(
      'A hook that failed has not judged this. With `--strict`, or `onError` in the settings for this hook, its failure denies, if the event can be denied.',
    );
  }
  if (ticket)
    steps.push(`\`hookline approvals show ${ticket.id}\` shows what is held; settle it with \`approve\` or \`deny\` instead of \`show\`.`);
  return steps.map((step) => `${style.cyan('next:')} ${block(step, '      ', style.columns).trimStart()}\n`).join('');
}
