/** Old public names. They work for one minor version, and each that is used is reported with its new name. */

import type { HookAnswer } from '../agents/hookline/index.ts';
import type { LogEntry, LogFilter, LogRecord } from '../core/record/decision-record.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { HooklineOptions } from './options.ts';

/** @deprecated Use `LogEntry`. */
export type AuditEntry = LogEntry;
/** @deprecated Use `LogFilter`. */
export type AuditFilter = LogFilter;
/** @deprecated Use `LogRecord`. */
export type AuditRecord = LogRecord;
/** @deprecated Use `HookAnswer`. */
export type Answer = HookAnswer;

/** Returns one diagnostic for each option that is given by its old name. */
export function deprecatedOptions({ audit, canAnswer }: HooklineOptions): readonly Diagnostic[] {
  const used = [
    ...LOG_KEYS.filter((key) => audit?.[key] !== undefined).map((key) => [`audit.${key}`, `log.${key}`] as const),
    ...(canAnswer === undefined ? [] : [['canAnswer', 'canSettle'] as const]),
  ];
  return used.map(([old, name]) => ({
    severity: 'warning',
    code: 'deprecated',
    message: `The option \`${old}\` is now called \`${name}\`. The old name will be removed.`,
    hint: `Write \`${name}\`.`,
  }));
}

const LOG_KEYS = ['record', 'onFailure', 'keepDays'] as const;
