/** Old public names. They work for one minor version, and each that is used is reported with its new name. */

import type { HookAnswer } from '../agents/hookline/index.ts';
import type { LogEntry, LogFilter, LogRecord } from '../core/record/decision-record.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Background } from '../engine/ports.ts';
import type { BackgroundOptions, GroupedOptions, HooklineOptions, OldOptions } from './options.ts';

/** @deprecated Use `LogEntry`. */
export type AuditEntry = LogEntry;
/** @deprecated Use `LogFilter`. */
export type AuditFilter = LogFilter;
/** @deprecated Use `LogRecord`. */
export type AuditRecord = LogRecord;
/** @deprecated Use `HookAnswer`. */
export type Answer = HookAnswer;

type Group = 'limits' | 'approvals' | 'background';

/** The group of each old name, and its name there. */
const MOVED: Readonly<Record<keyof OldOptions, readonly [group: Group, name: string]>> = {
  stopCap: ['limits', 'stopCap'],
  maxHooks: ['limits', 'maxHooks'],
  ticketLifeMs: ['approvals', 'ticketLifeMs'],
  canSettle: ['approvals', 'canSettle'],
  canAnswer: ['approvals', 'canSettle'],
  notify: ['approvals', 'notify'],
  onNotifyFailure: ['approvals', 'onNotifyFailure'],
  worker: ['background', 'worker'],
  onDetachedEnd: ['background', 'onEnd'],
};
const OLD_NAMES = Object.keys(MOVED) as (keyof OldOptions)[];

/** Returns the options by their new names. Where both are given, the new name counts. */
export function withNewNames(options: HooklineOptions): GroupedOptions {
  const { background, ...rest } = options;
  const groups: Record<Group, object> = {
    limits: { ...options.limits },
    approvals: { ...options.approvals },
    background: isRunner(background) ? { run: background } : { ...background },
  };
  for (const old of OLD_NAMES) {
    const [group, name] = MOVED[old];
    if (options[old] !== undefined) groups[group] = { [name]: options[old], ...groups[group] };
  }
  return { ...rest, ...groups };
}

function isRunner(background: BackgroundOptions | Background | undefined): background is Background {
  return background !== undefined && 'start' in background;
}

/** Returns one diagnostic for each option that is given by its old name. */
export function deprecatedOptions(options: HooklineOptions): readonly Diagnostic[] {
  const { audit, background } = options;
  const used = [
    ...LOG_KEYS.filter((key) => audit?.[key] !== undefined).map((key) => [`audit.${key}`, `log.${key}`] as const),
    ...OLD_NAMES.filter((old) => options[old] !== undefined).map((old) => [old, MOVED[old].join('.')] as const),
    ...(isRunner(background) ? [['background', 'background.run'] as const] : []),
  ];
  return used.map(([old, name]) => ({
    severity: 'warning',
    code: 'deprecated',
    message: `The option \`${old}\` is now called \`${name}\`. The old name will be removed.`,
    hint: `Write \`${name}\`.`,
  }));
}

const LOG_KEYS = ['record', 'onFailure', 'keepDays'] as const;
