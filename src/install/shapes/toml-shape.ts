/** Entries in a TOML file: one block of tables at its end, between two comments. The rest of the file is never changed. */
import { type OwnLine, readLine } from '../../core/contracts/entry-line.ts';
import type { Unfit } from './json-edit.ts';
import type { Edited, Shape, Wanted } from './shape.ts';

export const tomlShape: Shape = {
  own: (text, host) => linesIn(blockOf(text, host)?.body ?? '', host),
  install,
  uninstall,
};

function install(text: string, host: string, wanted: readonly Wanted[]): Edited | Unfit {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const block = [beginOf(host), ...wanted.map(tableOf), endOf(host)].join('\n').replaceAll('\n', eol);
  const old = blockOf(text, host);
  const before = linesIn(old?.body ?? '', host).map(({ event }) => event);
  const entries = wanted.map(({ event }) => {
    const had = before.includes(event);
    return { event, state: had ? (old?.body === block ? ('kept' as const) : ('updated' as const)) : ('added' as const) };
  });
  const gone = before.filter((event) => event !== undefined && !wanted.some((one) => one.event === event));
  const all = [...entries, ...gone.map((event) => ({ event: event ?? '', state: 'removed' as const }))];
  if (old) return { text: text.slice(0, old.start) + block + text.slice(old.start + old.body.length), entries: all };
  const lead = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  return { text: `${text}${lead}${block}${eol}`, entries: all };
}

function uninstall(text: string, host: string, before: string | undefined): Edited {
  const block = blockOf(text, host);
  if (!block) return { text, entries: [] };
  const entries = linesIn(block.body, host).map(({ event }) => ({ event: event ?? '', state: 'removed' as const }));
  const head = text.slice(0, block.start);
  const tail = text.slice(block.start + block.body.length);
  const isOurs =
    tail.trim() === '' && (before === undefined ? head.trim() === '' : head.startsWith(before) && head.trim() === before.trim());
  if (isOurs) return { text: before, entries };
  return { text: head.replace(/\r?\n$/, '') + tail.replace(/^\r?\n/, ''), entries };
}

function beginOf(host: string): string {
  return `# begin of what \`hookline install ${host}\` wrote; \`hookline uninstall ${host}\` takes it out`;
}

function endOf(host: string): string {
  return `# end of what \`hookline install ${host}\` wrote`;
}

function blockOf(text: string, host: string): { readonly start: number; readonly body: string } | undefined {
  const start = text.indexOf(beginOf(host));
  const end = start < 0 ? -1 : text.indexOf(endOf(host), start);
  return end < 0 ? undefined : { start, body: text.slice(start, end + endOf(host).length) };
}

function linesIn(block: string, host: string): OwnLine[] {
  return [...block.matchAll(/= ("(?:[^"\\]|\\.)*")/g)].flatMap(([, text = '""']) => {
    const line = readLine(String(JSON.parse(text)));
    return line?.host === host ? [line] : [];
  });
}

/** A value of an entry is flat: texts, numbers and truths, which JSON and TOML write alike. */
function tableOf({ path, value }: Wanted): string {
  const pairs = Object.entries(value as Readonly<Record<string, unknown>>).map(([key, item]) => `${key} = ${JSON.stringify(item)}`);
  return [`[[${path.join('.')}]]`, ...pairs].join('\n');
}
