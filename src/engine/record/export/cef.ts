/** Common Event Format, one line per entry: for products that read syslog. */
import type { LogEntry } from '../../../core/record/decision-record.ts';
import { hooksOf, resultOf, severityOf, subjectOf } from './columns.ts';
import type { Exported, Format } from './export-log.ts';

export const toCef: Format = {
  entry: (entry, about) =>
    line(about, entry.kind, NAMES[resultOf(entry)](entry), severityOf(entry), {
      rt: entry.at,
      act: entry.decision,
      outcome: resultOf(entry),
      externalId: entry.id,
      suser: entry.who?.osUser,
      suid: entry.who?.userId,
      dvchost: entry.who?.machine.name,
      deviceExternalId: entry.who?.machine.id,
      requestClientApplication: entry.who && [entry.who.host, entry.who.hostVersion].filter(Boolean).join('/'),
      filePath: entry.root,
      request: subjectOf(entry),
      msg: entry.reason,
      ...labelled('cs', [
        ['session', entry.session],
        ['tool', entry.tool],
        ['hooks', hooksOf(entry).join('; ')],
        ['ticket', entry.ticket],
        ['finding', entry.actor?.finding],
        ['hash', entry.hash],
      ]),
      ...labelled('cn', [
        ['seq', entry.seq],
        ['ms', Math.round(entry.ms)],
      ]),
    }),
  checkpoint: ({ seq, hash, at, origin, key, signature }, about) =>
    line(about, 'log.checkpoint', 'The head of the log was signed', 0, {
      rt: at,
      deviceExternalId: origin,
      ...labelled('cs', [
        ['hash', hash],
        ['key', key],
        ['signature', signature],
      ]),
      ...labelled('cn', [['seq', seq]]),
    }),
};

type Value = string | number | null | undefined;

const NAMES: Readonly<Record<ReturnType<typeof resultOf>, (entry: LogEntry) => string>> = {
  allowed: ({ kind }) => `${kind} was allowed`,
  approved: ({ kind }) => `${kind} was approved by a person`,
  waits: ({ kind }) => `${kind} waits for a person`,
  denied: ({ kind }) => `${kind} was denied`,
};

/** The format has no keys of its own for these, but numbered ones with labels. */
function labelled(prefix: 'cs' | 'cn', values: readonly (readonly [string, Value])[]): Record<string, Value> {
  const there = values.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return Object.fromEntries(
    there.flatMap(([label, value], i) => [
      [`${prefix}${i + 1}Label`, label],
      [`${prefix}${i + 1}`, value],
    ]),
  );
}

function line({ version }: Exported, signature: string, name: string, severity: number, values: Readonly<Record<string, Value>>): string {
  const head = ['CEF:0', 'Hookline', 'Hookline', version, signature, name, String(severity)];
  const extension = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => `${key}=${inExtension(String(value))}`);
  return `${head.map((part, i) => (i === 0 ? part : inHead(part))).join('|')}|${extension.join(' ')}\n`;
}

function inHead(text: string): string {
  return text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' ');
}

function inExtension(text: string): string {
  return text.replace(/[\\=]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
