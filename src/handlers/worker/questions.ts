/** Answers the questions that a hook asks while it works: its state in the session, and the judgement of a command. */
import type { SessionState } from '../../core/record/session-state.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import type { ReplyMessage } from './protocol.ts';

/** Returns why a command is denied; undefined if it may run. */
export type JudgeCommand = (command: string, cwd: string) => Promise<string | undefined>;

export interface Asking {
  readonly session: string;
  /** The id of the hook. */
  readonly owner: string;
  readonly cwd: string;
}

export async function answerQuestion(
  question: JsonObject,
  { session, owner, cwd }: Asking,
  state: SessionState | undefined,
  judge: JudgeCommand | undefined,
): Promise<ReplyMessage> {
  const { ask, key, value, version, command, cwd: elsewhere } = question;
  if (ask === 'judge') {
    if (typeof command !== 'string') throw new Error('`judge` needs a `command`.');
    if (!judge) throw new Error('No guard is available here, so no command is permitted.');
    const reason = await judge(command, typeof elsewhere === 'string' ? elsewhere : cwd);
    return reason === undefined ? { allowed: true } : { allowed: false, reason };
  }
  if (ask !== 'get' && ask !== 'set') throw new Error(`There is no question ${JSON.stringify(ask)}; there are get, set and judge.`);
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY)
    throw new Error(`\`${ask}\` needs a \`key\` of 1 to ${LONGEST_KEY} characters.`);
  if (!state) throw new Error('No state is available here.');
  if (ask === 'get') {
    const now = state.read(session, owner);
    return { value: valueAt(now.values, key), version: now.version };
  }
  return set(state, { session, owner, key, value: value ?? null, expected: typeof version === 'number' ? version : undefined });
}

const LONGEST_KEY = 256;

interface Setting {
  readonly session: string;
  readonly owner: string;
  readonly key: string;
  /** Null removes the key. */
  readonly value: Json;
  readonly expected: number | undefined;
}

/** Without an expected version it writes until no other writer comes between. */
function set(state: SessionState, { session, owner, key, value, expected }: Setting): ReplyMessage {
  for (;;) {
    const now = state.read(session, owner);
    const late: ReplyMessage = { done: false, value: valueAt(now.values, key), version: now.version };
    if (expected !== undefined && now.version !== expected) return late;
    const { [key]: _, ...others } = now.values;
    const values = value === null ? others : { ...others, [key]: value };
    if (state.write(session, owner, now.version, values)) return { done: true, value, version: now.version + 1 };
  }
}

function valueAt(values: JsonObject, key: string): Json {
  return (Object.hasOwn(values, key) ? values[key] : null) ?? null;
}
