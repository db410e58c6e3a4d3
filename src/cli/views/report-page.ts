/** Builds the page about a session. Every text is foreign: it is made visible, masked once more, and escaped in one place. */
import { redactText } from '../../core/values/redact.ts';
import { isPlainPass } from '../../views/fold-passes.ts';
import type { AgentView, SessionView, ViewEntry } from '../../views/views.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { plural } from '../print/text.ts';
import { markOf } from './mark-of.ts';
import { time } from './print-stats.ts';
import { REPORT_STYLE } from './report-style.ts';

export interface Report {
  readonly session: SessionView;
  /** Oldest first. */
  readonly entries: readonly ViewEntry[];
  /** Older entries are left out. */
  readonly isCut: boolean;
  /** The sentences of entries, by position. */
  readonly stories: ReadonlyMap<number, readonly string[]>;
  readonly madeAt: number;
}

const LONGEST = 2000;

export function reportPage({ session, entries, isCut, stories, madeAt }: Report): string {
  const title = session.title ?? `Session ${session.id}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${safe(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<h1>${safe(title)}</h1>
<dl>${facts(session)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
    .join('\n')}</dl>
</header>
<main>
<p class="sum">${sum(session)}</p>
${agents(session.agents)}
<h2>Decisions</h2>
${isCut ? `<p class="note">This page has the newest ${entries.length} entries of the session. The older ones are in the log.</p>` : ''}
<ol class="entries">
${items(entries, stories).join('\n')}
</ol>
</main>
<footer>Made by Hookline at ${clock(madeAt)} from entries ${entries[0]?.pos ?? 0} to ${entries.at(-1)?.pos ?? 0} of the log. Secrets in common shapes are masked.</footer>
</body>
</html>
`;
}

/** Returns text that is safe in the page, as an element or as an attribute. */
function safe(text: string): string {
  return redactText(visibleLine(text, LONGEST)).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function facts({ id, project, host, hostVersion, user, machine, firstAt, lastAt }: SessionView): (readonly [string, string])[] {
  return [
    ['session', `<code>${safe(id)}</code>`],
    ['project', `<code>${safe(project)}</code>`],
    ['agent', safe(`${host} ${hostVersion}`.trim() || 'a program of its own')],
    ['account', safe(user === '' ? 'unknown' : `${user} on ${machine}`)],
    ['from', clock(firstAt)],
    ['to', clock(lastAt)],
  ];
}

function sum({ entries, denied, held, asked, faults, hookMs }: SessionView): string {
  const parts = [
    `<b>${plural(entries, 'event')}</b>`,
    `<b class="deny">${denied} denied</b>`,
    `<b class="hold">${held + asked} held for a person</b>`,
    `<b class="fault">${plural(faults, 'hook failure')}</b>`,
  ];
  return `${parts.join(', ')}. Hooks took ${time(hookMs)}.`;
}

function agents(all: readonly AgentView[]): string {
  if (all.length === 0) return '';
  const list = (some: readonly AgentView[]): string =>
    some.length === 0
      ? ''
      : `<ul>${some.map(({ agent, entries, denied, children }) => `<li>${safe(agent)}: ${plural(entries, 'event')}, ${denied} denied${list(children)}</li>`).join('')}</ul>`;
  return `<h2>Subagents</h2>\n${list(all)}`;
}

/** Runs of passes are one thin line. */
function items(entries: readonly ViewEntry[], stories: Report['stories']): string[] {
  const lines: string[] = [];
  let passes: ViewEntry[] = [];
  const fold = (): void => {
    if (passes.length > 0) lines.push(passed(passes));
    passes = [];
  };
  for (const entry of entries) {
    if (isPlainPass(entry)) passes.push(entry);
    else {
      fold();
      lines.push(told(entry, stories.get(entry.pos) ?? []));
    }
  }
  fold();
  return lines;
}

function passed(entries: readonly ViewEntry[]): string {
  const tools = new Map<string, number>();
  for (const { tool, kind } of entries) tools.set(tool ?? kind, (tools.get(tool ?? kind) ?? 0) + 1);
  const named = [...tools].map(([tool, count]) => `${safe(tool)} ${count}`).join(', ');
  const [first, last] = [entries[0] as ViewEntry, entries.at(-1) as ViewEntry];
  const when = entries.length === 1 ? stamp(first.at) : `${stamp(first.at)} – ${stamp(last.at)}`;
  return `<li class="passes">${when} <span>${plural(entries.length, 'pass', 'passes')}: ${named}</span></li>`;
}

function told(entry: ViewEntry, story: readonly string[]): string {
  const { at, id, kind, tool, what, reason, agent, ms, sort, isAlarm } = entry;
  const [name, glyph, word] = markOf(entry);
  const head = [
    stamp(at),
    `<b class="${name}">${glyph} ${word}</b>`,
    `<span>${safe(tool ?? kind)}</span>`,
    ...(agent === '' ? [] : [`<span>by ${safe(agent)}</span>`]),
    ...(sort === 'act' ? [] : [`<span>${time(ms)}</span>`]),
  ];
  return `<li class="entry ${name}">
<div class="head">${head.join(' ')}</div>
${isAlarm ? '<p class="alarm">This call was denied, and the agent reports that it ran.</p>' : ''}
${what === '' ? '' : `<pre>${safe(what)}</pre>`}
${reason === null ? '' : `<p class="reason">${safe(reason)}</p>`}
${story.length === 0 ? '' : `<ul class="story">${story.map((sentence) => `<li>${safe(sentence)}</li>`).join('')}</ul>`}
<small>${safe(id)}</small>
</li>`;
}

function clock(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19).concat(' UTC');
}

function stamp(at: number): string {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(11, 19)}</time>`;
}
