/** Shows what an agent does as it happens: its text, its calls, and one line for each hook that acted. */
import { explainHook } from '../../core/decision/explain.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import type { JsonObject } from '../../core/values/json.ts';
import type { AgentEvent } from '../../runtime/contract.ts';
import { preview } from '../print/event-line.ts';
import type { Style } from '../print/style.ts';
import { cutWords, harmless, oneLine } from '../print/text.ts';
import { hasActed } from './report.ts';

export interface Screen {
  /** The answer. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
}

export interface Show {
  (event: AgentEvent): void;
  /** Ends a line of text that has begun. */
  endLine(): void;
}

/** @param texts whether the model's text is shown as it arrives; if not, only hooks and calls are */
export function showEvents(screen: Screen, style: Style, texts: boolean): Show {
  let isOpen = false;
  const endLine = (): void => {
    if (isOpen) screen.out('\n');
    isOpen = false;
  };
  const show = (event: AgentEvent): void => {
    if (event.type === 'text') {
      if (!texts || event.depth > 0 || event.text === '') return;
      screen.out(harmless(event.text));
      isOpen = !event.text.endsWith('\n');
      return;
    }
    const lines = linesOf(event, style);
    if (lines.length > 0) endLine();
    for (const line of lines) screen.err(`${line}\n`);
  };
  return Object.assign(show, { endLine });
}

function linesOf(event: Exclude<AgentEvent, { readonly type: 'text' }>, style: Style): readonly string[] {
  switch (event.type) {
    case 'hook':
      return hookLines(event, style);
    case 'tool-call':
      return [`${indent(event.depth)}${style.bold(`● ${oneLine(event.tool)}`)}  ${fitting(subjectOf(event.input), style)}`];
    case 'tool-result': {
      const text = `⎿ ${event.isError ? 'failed: ' : ''}${fitting(resultText(event.result), style)}`;
      return [`${indent(event.depth)}  ${style.dim(text)}`];
    }
    case 'compacted':
      return [style.dim(`  the conversation was shortened by ${event.removed} messages`)];
    case 'problem':
      return [`  ${style.yellow('!')} ${oneLine(event.message)}`];
    case 'hold':
    case 'turn':
      return [];
  }
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}

/** A reason is what a person looks for, so the terminal wraps it. */
const MOST_OF_A_REASON = 400;

/** Hooks that had no objection are not shown. */
function hookLines({ kind, depth, outcome }: Extract<AgentEvent, { readonly type: 'hook' }>, style: Style): readonly string[] {
  const lead = `${indent(depth)}  `;
  const acted = outcome.hooks.filter(hasActed).map((hook) => {
    const { mark, paint } = signOf(hook, style);
    const text = `${oneLine(hook.name)} ${oneLine(explainHook(hook))}`;
    return `${lead}${paint(mark)} ${style.dim(kind)}  ${cutWords(text, MOST_OF_A_REASON)}`;
  });
  const rewritten = outcome.rewrite === undefined ? [] : [`${lead}  ${style.dim('now')}  ${fitting(preview(outcome.rewrite), style)}`];
  const notices = outcome.notices.map((text) => `${lead}  ${style.dim('notice')}  ${fitting(oneLine(text), style)}`);
  return [...acted, ...rewritten, ...notices];
}

function signOf({ status, decision }: HookReport, style: Style): { readonly mark: string; paint(text: string): string } {
  if (decision === 'deny') return { mark: '✗', paint: style.red };
  if (decision === 'hold' || decision === 'ask') return { mark: '?', paint: style.yellow };
  if (status === 'faulted') return { mark: '!', paint: style.yellow };
  return { mark: decision === 'allow' ? '✓' : '+', paint: style.green };
}

/** One line for a call: the only text of its input, or the first one. */
function subjectOf(input: JsonObject): string {
  const [first, ...others] = Object.values(input);
  return typeof first === 'string' && (others.length === 0 || first.length < SHORT) ? preview(first) : preview(input);
}

const SHORT = 200;

function resultText(result: unknown): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const lines = text.split('\n').filter((one) => one.trim() !== '');
  const more = lines.length > 1 ? ` (${lines.length} lines)` : '';
  return lines.length === 0 ? '(nothing)' : `${preview(lines[0] ?? '')}${more}`;
}

function fitting(text: string, { columns }: Style): string {
  return cutWords(text, Math.max(40, columns - 30));
}
