/** Comma-separated values (RFC 4180), for spreadsheets and databases. */
import type { LogEntry } from '../../../core/record/decision-record.ts';
import { faultsOf, hooksOf, resultOf, severityOf, subjectOf } from './columns.ts';
import type { Format } from './export-log.ts';

type Cell = string | number | null | undefined;

const COLUMNS: readonly (readonly [string, (entry: LogEntry) => Cell])[] = [
  ['seq', ({ seq }) => seq],
  ['time', ({ at }) => new Date(at).toISOString()],
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['decision', ({ decision }) => decision],
  ['result', resultOf],
  ['severity', severityOf],
  ['tool', ({ tool }) => tool],
  ['subject', subjectOf],
  ['reason', ({ reason }) => reason],
  ['hooks', (entry) => hooksOf(entry).join('; ')],
  ['faults', (entry) => faultsOf(entry).join('; ')],
  ['session', ({ session }) => session],
  ['user', ({ who }) => who?.osUser],
  ['user_id', ({ who }) => who?.userId],
  ['machine', ({ who }) => who?.machine.name],
  ['machine_id', ({ who }) => who?.machine.id],
  ['agent', ({ who }) => who?.host],
  ['agent_version', ({ who }) => who?.hostVersion],
  ['project', ({ root }) => root],
  ['remote', ({ who }) => who?.project.remote],
  ['commit', ({ who }) => who?.project.commit],
  ['ticket', ({ ticket }) => ticket],
  ['finding', ({ actor }) => actor?.finding],
  ['via', ({ actor }) => actor?.via],
  ['ms', ({ ms }) => ms],
  ['previous', ({ previous }) => previous],
  ['hash', ({ hash }) => hash],
];

export const toCsv: Format = {
  begin: () => row(COLUMNS.map(([name]) => name)),
  entry: (entry) => row(COLUMNS.map(([, read]) => read(entry))),
  // The columns of a statement: its entry, its time, and the signature in the place of the subject.
  checkpoint: ({ seq, at, hash, origin, signature, key }) =>
    row(COLUMNS.map(([name]) => STATED[name]?.({ seq, at: new Date(at).toISOString(), hash, origin, signature, key }))),
};

interface Stated {
  readonly seq: number;
  readonly at: string;
  readonly hash: string;
  readonly origin: string;
  readonly signature: string;
  readonly key: string;
}

const STATED: Readonly<Record<string, (stated: Stated) => Cell>> = {
  seq: ({ seq }) => seq,
  time: ({ at }) => at,
  kind: () => 'log.checkpoint',
  subject: ({ signature }) => signature,
  reason: ({ key }) => `Signed with the key ${key}`,
  machine_id: ({ origin }) => origin,
  hash: ({ hash }) => hash,
};

function row(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
