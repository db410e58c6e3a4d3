/** The events of a session that numbers in payloads follow from, in the notes that all processes share. */
import type { SessionTrail, TrailStep } from '../engine/ports.ts';
import { NAMELESS_SESSION } from '../engine/receive/events.ts';
import { openSessionLines } from '../stores/session-notes.ts';

/** Each line is a step, its time, and the rest of it in the form of a query. A line of another form is no step. */
export function openTrail(stateFolder: string, topic: string): SessionTrail {
  const lines = openSessionLines({ stateFolder, topic, root: '', nameless: NAMELESS_SESSION });
  return {
    // A line that is lost only leaves a number out of a payload.
    add: (session, { what, at, ...rest }) => void lines.add(session, `${what} ${at} ${new URLSearchParams(rest)}`),
    of: (session) =>
      lines.of(session).flatMap((line): TrailStep[] => {
        const [, what, at, rest] = /^(start|prompt|tool|call|subagent) (\d+) (\S*)$/.exec(line) ?? [];
        const { id, name, by } = Object.fromEntries(new URLSearchParams(rest));
        const known = { ...(id !== undefined && { id }), ...(name !== undefined && { name }), ...(by !== undefined && { by }) };
        return what === undefined ? [] : [{ what: what as TrailStep['what'], at: Number(at), ...known }];
      }),
  };
}
