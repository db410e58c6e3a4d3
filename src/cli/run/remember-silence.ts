/** Remembers a call that concerned no hook, once it is answered, so that the next one like it is answered without loading the hooks. */
import type { OpenHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import { type HookEvent, kindRule } from '../../core/event/event.ts';
import { NAMELESS_SESSION } from '../../engine/receive/events.ts';
import { identifyCall } from '../../engine/receive/host-call.ts';
import type { Memory } from '../../load/memory.ts';
import type { LookupNotes } from '../../load/remembered/lookups.ts';
import { keepSilence } from '../../load/remembered/silence.ts';
import { textsIn } from './quiet-call.ts';

/** An event that was judged, and the dialects whose hooks were left out. */
export interface Judged {
  readonly event: HookEvent;
  readonly skipDialects: readonly string[];
}

/** A call whose answer was empty. */
export interface AnsweredCall extends Pick<OpenHookline, 'isQuiet'> {
  readonly host: string;
  readonly text: string;
  /** The event that the entry names. */
  readonly asked: string | undefined;
  readonly events: readonly Judged[];
  /** Identifies the entry and the folders that it leads to. */
  readonly entry: string;
  /** Names of the variables that decided where the hooks are looked for. */
  readonly variables: readonly string[];
  readonly lookups: LookupNotes;
}

export function rememberIfQuiet(memory: Memory | undefined, answered: AnsweredCall): void {
  const { host: id, text, asked, events, isQuiet } = answered;
  const call = identifyCall(id, text, asked, process.env, HOSTS);
  const [judged] = events;
  if (!memory || 'problem' in call || !judged || events.length > 1) return;
  const { host, entry, rule, others, payload } = call;
  const { event, skipDialects } = judged;
  if (host !== entry || others.length > 0 || host.decidedBy === null) return;
  const kinds = [...new Set([event.kind, ...rule.kinds])];
  if (!isQuiet(event, kinds, skipDialects)) return;
  const reportsRun = kinds.some((kind) => kindRule(kind).reportsRun === true);
  const session = event.session.id;
  if (reportsRun && session !== NAMELESS_SESSION && !textsIn(payload).has(session)) return;
  // Looks at every path once more, so it is done last.
  const lookups = answered.lookups.finish();
  if (!lookups) return;
  const sharing = HOSTS.filter(({ alsoReads }) => alsoReads.some((files) => files.host === host.id)).map(({ signs }) => signs);
  const silence = {
    of: answered.entry,
    decidedBy: host.decidedBy,
    others: { payload: sharing.flatMap((signs) => signs.payload), env: sharing.flatMap((signs) => signs.env) },
    variables: Object.fromEntries(answered.variables.map((name) => [name, process.env[name] ?? null])),
    lookups,
  };
  keepSilence(memory, silence, payload, { reportsRun });
}
