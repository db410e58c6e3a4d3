/**
 * Open Cybersecurity Schema Framework 1.3, one JSON event per line. A decision is an API Activity (6003), because an agent calls a tool. An
 * act is an Entity Management (3004). Facts without a place there are in `unmapped`.
 */
import { isAct, type LogEntry } from '../../../core/record/decision-record.ts';
import { faultsOf, hooksOf, type Result, resultOf, severityOf, subjectOf } from './columns.ts';
import type { Exported, Format } from './export-log.ts';

export const toOcsf: Format = {
  entry: (entry, about) => `${JSON.stringify(isAct(entry.kind) ? actEvent(entry, about) : decisionEvent(entry, about))}\n`,
  checkpoint: ({ seq, hash, at, origin, key, signature, store }, about) =>
    `${JSON.stringify({
      ...classed(ENTITY, UPDATE),
      time: at,
      severity_id: 1,
      severity: 'Informational',
      metadata: metadataOf(about, `checkpoint-${seq}`, seq, 'log.checkpoint'),
      message: 'The head of the log was signed.',
      entity: { name: store, type: 'log', uid: origin },
      unmapped: { hash, key, signature },
    })}\n`,
};

interface EventClass {
  readonly uid: number;
  readonly name: string;
  readonly category: readonly [number, string];
}

const API: EventClass = { uid: 6003, name: 'API Activity', category: [6, 'Application Activity'] };
const ENTITY: EventClass = { uid: 3004, name: 'Entity Management', category: [3, 'Identity & Access Management'] };
const UPDATE = [3, 'Update'] as const;
const OTHER = [99, 'Other'] as const;

function classed({ uid, name, category }: EventClass, [activity, activityName]: readonly [number, string]): object {
  return {
    category_uid: category[0],
    category_name: category[1],
    class_uid: uid,
    class_name: name,
    activity_id: activity,
    activity_name: activityName,
    type_uid: uid * 100 + activity,
    type_name: `${name}: ${activityName}`,
  };
}

const DISPOSITIONS: Readonly<Record<Result, { action: readonly [number, string]; disposition: readonly [number, string] }>> = {
  allowed: { action: [1, 'Allowed'], disposition: [1, 'Allowed'] },
  approved: { action: [1, 'Allowed'], disposition: [8, 'Approved'] },
  waits: { action: [1, 'Allowed'], disposition: [14, 'Delayed'] },
  denied: { action: [2, 'Denied'], disposition: [2, 'Blocked'] },
};

function decisionEvent(entry: LogEntry, about: Exported): object {
  const { tool, kind, root, who, session } = entry;
  const { action, disposition } = DISPOSITIONS[resultOf(entry)];
  return {
    ...classed(API, OTHER),
    ...common(entry, about, ['security_control', 'host']),
    action_id: action[0],
    action: action[1],
    disposition_id: disposition[0],
    disposition: disposition[1],
    api: {
      operation: tool ?? kind,
      request: { uid: entry.id, data: { subject: subjectOf(entry) } },
      service: { name: who?.host ?? 'agent' },
    },
    src_endpoint: { hostname: who?.machine.name ?? 'unknown', uid: who?.machine.id ?? 'unknown' },
    resources: [{ name: root, type: 'project', ...(who?.project.remote !== undefined && { uid: who.project.remote }) }],
    unmapped: { ...unmapped(entry), hooks: hooksOf(entry), faults: faultsOf(entry), session },
  };
}

function actEvent(entry: LogEntry, about: Exported): object {
  const { kind, ticket, root, actor, data } = entry;
  return {
    ...classed(ENTITY, kind.endsWith('.opened') || kind.endsWith('.given') || kind.endsWith('.added') ? [1, 'Create'] : UPDATE),
    ...common(entry, about, ['host']),
    entity: { name: ticket ?? root, type: kind.slice(0, kind.indexOf('.')), uid: ticket ?? entry.id },
    ...(entry.reason !== null && { comment: entry.reason }),
    unmapped: { ...unmapped(entry), data, ...(actor && { actor }) },
  };
}

/** A waiting action has neither succeeded nor failed yet. */
const STATUS: Readonly<Record<Result, readonly [number, string]>> = {
  allowed: [1, 'Success'],
  approved: [1, 'Success'],
  waits: [99, 'Waits'],
  denied: [2, 'Failure'],
};

function common(entry: LogEntry, about: Exported, profiles: readonly string[]): object {
  const { at, id, seq, kind, reason, who, ms, session } = entry;
  const [status, statusName] = STATUS[resultOf(entry)];
  const [severity, severityName] = severityIn(severityOf(entry));
  const user = { name: who?.osUser ?? 'unknown', ...(who && { uid: who.userId }) };
  return {
    time: at,
    ...(ms > 0 && { start_time: Math.round(at - ms), end_time: at, duration: Math.round(ms) }),
    severity_id: severity,
    severity: severityName,
    status_id: status,
    status: statusName,
    ...(reason !== null && { status_detail: reason }),
    message: reason ?? `${kind}: ${resultOf(entry)}`,
    actor: {
      user,
      session: { uid: session },
      ...(who?.host !== undefined && {
        app_name: who.host,
        ...(who.hostVersion !== undefined && { app_uid: `${who.host}/${who.hostVersion}` }),
      }),
    },
    ...(who && { device: { hostname: who.machine.name, uid: who.machine.id, type_id: 0, type: 'Unknown' } }),
    metadata: { ...metadataOf(about, id, seq, kind), profiles },
  };
}

function metadataOf({ version, store }: Exported, uid: string, sequence: number, code: string) {
  const product = { name: 'Hookline', vendor_name: 'Hookline', version };
  return { version: '1.3.0', product, uid, sequence, event_code: code, log_name: store };
}

function unmapped({ decision, previous, hash, digests, who, ticket }: LogEntry): object {
  return { decision, previous, hash, digests, ...(ticket !== null && { ticket }), ...(who && { project: who.project }) };
}

function severityIn(level: number): readonly [number, string] {
  if (level >= 8) return [4, 'High'];
  if (level >= 5) return [3, 'Medium'];
  return level >= 4 ? [2, 'Low'] : [1, 'Informational'];
}
