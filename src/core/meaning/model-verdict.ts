/**
 * Reads the verdict of a model. Only an answer that is exactly a verdict counts: a wrong type, another key, text around the JSON or half of it is a
 * problem, because a guess could turn a refusal into consent.
 */
import { asJson, isObject, type Json, type JsonObject } from '../values/json.ts';
import type { JudgeAnswer } from './profile.ts';

export type ModelVerdict =
  | { readonly verdict: JsonObject }
  /** `refuses`: the answer is no verdict, but a part of it refuses, which needs no further reading. */
  | { readonly problem: string; readonly refuses: boolean };

/** The most characters of a reason. A longer text is no reason but something else that the model was made to write. */
export const MOST_REASON = 2000;

/** @param answer the verdict as an object, or as the text of one */
export function readModelVerdict(answer: unknown, form: JudgeAnswer): ModelVerdict {
  if (typeof answer !== 'string') return verdictIn(asJson(answer), form);
  let value: Json;
  try {
    value = JSON.parse(answer) as Json;
  } catch {
    return problem(`the answer is not JSON: ${excerpt(answer)}`);
  }
  const read = verdictIn(value, form);
  if ('problem' in read || keysIn(answer) === Object.keys(read.verdict).length) return read;
  return problem('the answer has a key twice', /"ok"\s*:\s*false|"(?:deny|block)"/.test(answer));
}

function verdictIn(value: Json | undefined, { answers, also }: JudgeAnswer): ModelVerdict {
  if (!isObject(value)) return problem(`the answer must be an object, found ${nameOf(value)}`);
  const opinions = answers.flatMap((key) => {
    const opinion = value[key];
    return opinion === undefined ? [] : [{ key, consents: CONSENT[key](opinion) }];
  });
  const refuses = opinions.some(({ consents }) => consents === false);
  const wrong = opinions.find(({ consents }) => consents === undefined);
  if (wrong) return problem(`\`${wrong.key}\` in the answer must be ${WANTED[wrong.key]}, found ${nameOf(value[wrong.key])}`, refuses);
  if (opinions.length === 0) return problem(`the answer has no ${answers.map((key) => `\`${key}\``).join(' or ')}`);
  if (refuses && opinions.some(({ consents }) => consents)) return problem('the answer contradicts itself', true);
  const other = Object.keys(value).find((key) => key !== 'reason' && !also.includes(key) && !(answers as readonly string[]).includes(key));
  if (other !== undefined) return problem(`the answer has the key \`${excerpt(other)}\`, which a verdict does not have`, refuses);
  const { reason } = value;
  if (reason !== undefined && reason !== null && typeof reason !== 'string')
    return problem(`\`reason\` in the answer must be text, found ${nameOf(reason)}`, refuses);
  if (typeof reason === 'string' && reason.length > MOST_REASON)
    return problem(`\`reason\` in the answer has ${reason.length} characters, and at most ${MOST_REASON} are read`, refuses);
  return { verdict: value };
}

const CONSENT = {
  ok: (value: Json): boolean | undefined => (typeof value === 'boolean' ? value : undefined),
  decision: (value: Json): boolean | undefined => (value === 'allow' ? true : value === 'deny' || value === 'block' ? false : undefined),
} as const;

const WANTED = { ok: 'true or false', decision: '`allow`, `deny` or `block`' } as const;

/** JSON keeps the last of two equal keys, so the keys are counted in the text. A verdict has no object inside. */
function keysIn(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
}

function problem(text: string, refuses = false): ModelVerdict {
  return { problem: text, refuses };
}

function nameOf(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : excerpt(JSON.stringify(value));
}

/** How much of an answer is shown, in characters. */
const SEEN = 80;

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SEEN ? `${line.slice(0, SEEN)}…` : line;
}
