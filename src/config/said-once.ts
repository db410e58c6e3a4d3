/** What was said in a session, so that it is said once, whoever says it. If that can't be kept, something is rather said twice than never. */
import { openSessionNotes } from './session-notes.ts';

/** Whether this is the first time that it is said in this session. */
export type SaidOnce = (session: string, what: string) => boolean;

/** `nameless`: the session of those who name none. */
export function openSaidOnce(stateFolder: string, root: string, nameless: string): SaidOnce {
  const said = openSessionNotes({ stateFolder, topic: 'said', root, nameless });
  return (session, what) => said.add(session, what).isNew;
}
