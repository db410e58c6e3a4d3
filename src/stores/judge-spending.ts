/**
 * The cost of judges in each session, in the notes that all processes share. Each line is one sum that was reserved, settled or given back. A line
 * is appended in one step, so processes that spend at the same time count each other.
 */
import type { Cost, Spending } from '../core/contracts/judge-memory.ts';
import { type NotesPlace, openSessionLines } from './session-notes.ts';

const LINE = /^(-?\d+) (-?\d+)$/;

/** The cost of callers that name no session is counted in this process. */
export function openJudgeSpending({ stateFolder, nameless }: Pick<NotesPlace, 'stateFolder' | 'nameless'>): Spending {
  const lines = openSessionLines({ stateFolder, topic: 'judge-spending', root: '', nameless });
  let here: Cost = { tokens: 0, micros: 0 };
  const isNamed = (session: string | undefined): session is string => session !== undefined && session !== nameless;
  return {
    of(session) {
      if (!isNamed(session)) return here;
      let sum: Cost = { tokens: 0, micros: 0 };
      try {
        for (const line of lines.of(session)) {
          const [, tokens, micros] = LINE.exec(line) ?? [];
          if (tokens === undefined) return 'the file of this session has a line that is no cost';
          sum = { tokens: sum.tokens + Number(tokens), micros: sum.micros + Number(micros) };
        }
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      return sum;
    },
    add(session, { tokens, micros }) {
      if (isNamed(session)) return lines.add(session, `${tokens} ${micros}`);
      here = { tokens: here.tokens + tokens, micros: here.micros + micros };
      return undefined;
    },
  };
}
