/** Shows a ticket: masked, on one line in lists, and with everything that a person needs to decide. The action that would run never leaves the store. */
import type { TicketRecord } from '../core/contracts/store.ts';
import { kindRule } from '../core/event/event.ts';
import { accountText } from '../core/record/who.ts';
import { isObject, type Json, type JsonObject, ownValue, serialise, textOf } from '../core/values/json.ts';
import { MASK, redact, redactText } from '../core/values/redact.ts';
import { shortInput } from '../views/read-entry.ts';
import { visibleLine } from '../views/visible-text.ts';
import type { MaskedTicket, TicketSummary } from './api.ts';
import { Refusal } from './route.ts';

const LONGEST = 240;

export function summaryOf(ticket: TicketRecord): TicketSummary {
  const { id, state, kind, tool, reason, session, root, digest, action, openedAt, expiresAt, settledAt, by, note, who } = ticket;
  return {
    ...{ id, state, kind, tool, session, root, digest, openedAt, expiresAt, settledAt },
    what: visibleLine(shortInput(redact(subjectOf(ticket)).value), LONGEST),
    reason: redactText(reason),
    host: who?.host ?? '',
    user: who?.osUser ?? '',
    heldBy: action.heldBy.map(({ name }) => name),
    by,
    note: note === null ? null : redactText(note),
  };
}

export function maskedTicket(ticket: TicketRecord): MaskedTicket {
  const { action, who, metadata, via, settledBy, actor, edit, releasedAt, anyone } = ticket;
  const { value: input, masked } = redact(subjectOf(ticket));
  return {
    ...summaryOf(ticket),
    ...{ input, masked, via, releasedAt },
    cwd: action.event.session.cwd,
    hooks: redact(action.reports as unknown as Json).value as unknown as MaskedTicket['hooks'],
    waiting: action.waitingHooks?.map(({ name }) => name) ?? action.waiting,
    who: who ?? null,
    metadata: metadata ? (redact(metadata).value as JsonObject) : null,
    settledBy: settledBy ?? null,
    actor: actor ?? null,
    edit: edit === null ? null : redact(edit).value,
    anyone: anyone === true,
  };
}

/** Returns the part of the action that a person decides about: the part that an edit would replace, or all of it. */
export function subjectOf({ kind, action }: Pick<TicketRecord, 'kind' | 'action'>): Json {
  const key = kindRule(kind).rewrites?.key;
  return (key === undefined ? undefined : action.event.data[key]) ?? action.event.data;
}

export function isEditable({ kind, state }: TicketRecord): boolean {
  return state === 'open' && kindRule(kind).rewrites !== undefined;
}

/** Returns what an approval of this ticket releases, in sentences. */
export function bindsOf({ tool, kind, action, who }: TicketRecord): readonly string[] {
  const { waiting, event } = action;
  return [
    `An approval releases exactly this input of ${tool ?? kind}, once, in ${event.session.cwd}${who ? `, for ${accountText(who)} alone` : ''}.`,
    ...(waiting.length === 0
      ? []
      : [`${waiting.length === 1 ? 'One hook that was' : `${waiting.length} hooks that were`} not asked yet will be asked then.`]),
  ];
}

/** Returns the edit with the values in the place of masks that were left as they are. A mask that was moved or edited has no value. */
export function unmasked(edit: Json, ticket: TicketRecord): Json {
  const raw = subjectOf(ticket);
  return restored(edit, redact(raw).value, raw);
}

function restored(edit: Json, shown: Json | undefined, raw: Json | undefined): Json {
  if (shown !== undefined && raw !== undefined && serialise(edit) === serialise(shown)) return raw;
  if (typeof edit === 'string') {
    if (!edit.includes(MASK) || (textOf(raw) ?? '').includes(MASK)) return edit;
    throw new Refusal(422, `The edit contains \`${MASK}\`, which stands for a secret that is not shown here.`, 'Write the whole value.');
  }
  if (Array.isArray(edit)) return edit.map((one: Json, i) => restored(one, at(shown, i), at(raw, i)));
  if (!isObject(edit)) return edit;
  const objects = isObject(shown) && isObject(raw) ? ([shown, raw] as const) : ([{}, {}] as const);
  return Object.fromEntries(
    Object.entries(edit).map(([key, one]) => {
      const [before, value] = objects.map((from: JsonObject) => ownValue(from, key));
      return [key, restored(one as Json, before, value)];
    }),
  );
}

function at(list: Json | undefined, i: number): Json | undefined {
  return Array.isArray(list) ? (list[i] as Json | undefined) : undefined;
}
