/** Answers who would be asked about an event, and how the guard reads its command. Nothing runs, and nothing is recorded. */
import { statSync } from 'node:fs';
import { DIALECTS, HOSTS } from '../../builtins.ts';
import type { EventKind } from '../../core/event/event.ts';
import { isAct, type LogEntry } from '../../core/record/decision-record.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { weighSigns } from '../../engine/receive/host-call.ts';
import type { GuardAnswer, Mark, PlanAnswer } from '../../ui/api.ts';
import type { PlanWish } from '../../ui/parts.ts';
import { type Arguments, usageError } from '../arguments.ts';
import { problemOf } from '../failure.ts';
import { explainCommand } from '../guard/explain.ts';
import { readGuardRules } from '../guard/rules.ts';
import type { Request } from '../input/fire-request.ts';
import { readEvent, readRequest } from '../input/fire-request.ts';
import { planOf } from '../run/plan.ts';
import { at, withEngine } from './engines.ts';

/** A command alone is a call of the tool that most agents call so. */
const SHELL = 'Bash';

export async function planWish(args: Arguments, here: string, wish: PlanWish): Promise<PlanAnswer> {
  const root = 'entry' in wish ? wish.entry.root : (wish.root ?? here);
  const asked = 'command' in wish ? { tool: SHELL, input: { command: wish.command } } : wish;
  let guard: GuardAnswer | null = null;
  try {
    const request = await requestOf(asked);
    const command = commandIn(request.data);
    guard = command === undefined ? null : await readByGuard(args, root, command);
    const plan = await withEngine(args, root, async (hookline) => ({
      ...(await planOf(hookline, request)),
      diagnostics: hookline.diagnostics,
    }));
    return { plan, guard, problem: null };
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { plan: null, guard, problem: hint === undefined ? message : `${message} ${hint}` };
  }
}

type Asked = Exclude<PlanWish, { readonly command: string }>;

async function requestOf(wish: Asked): Promise<Request> {
  if ('entry' in wish) return ofEntry(wish.entry);
  if ('tool' in wish) return { kind: 'tool.before', data: { tool: wish.tool, input: wish.input }, context: {} };
  const { kind, data, dialect, event, payload } = wish.event;
  if (isObject(data) && textOf(kind) !== undefined) return named(kind as string, undefined, data);
  if (isObject(payload) && textOf(event) !== undefined && textOf(dialect) !== undefined)
    return named(event as string, dialect as string, payload);
  return ofAgent(wish.event);
}

function ofEntry({ kind, data, session }: LogEntry): Request {
  if (isAct(kind)) throw usageError('An act of a person reaches no hook.', 'Plan an event.');
  return { kind: kind as EventKind, data, context: { session } };
}

/** The same as on the command line, so that both mean the same. */
function named(event: string, as: string | undefined, payload: JsonObject): Promise<Request> {
  const given = { payload: JSON.stringify(payload), ...(as !== undefined && { as }) };
  const words: Arguments = { positionals: [event], values: new Map(Object.entries(given).map(([name, value]) => [name, [value]])) };
  return readRequest(words, readEvent(words));
}

/** The payload of an agent, as its hooks get it. The keys that only one agent has tell whose it is. */
function ofAgent(payload: JsonObject): Promise<Request> {
  const hosts = HOSTS.filter(({ eventKey, dialect }) => {
    const event = eventKey === null ? undefined : textOf(payload[eventKey]);
    return event !== undefined && Object.hasOwn(dialect.profile.events, event);
  });
  const [best] = [...hosts].sort((one, other) => weighSigns(other, payload, {}) - weighSigns(one, payload, {}));
  if (!best)
    throw usageError(
      'It cannot be told which event this is.',
      `Paste the payload of an agent, or an event with \`kind\` and \`data\`. Formats: ${DIALECTS.map(({ id }) => id).join(', ')}.`,
    );
  return named(String(payload[best.eventKey as string]), best.dialect.id, payload);
}

function commandIn({ input }: JsonObject): string | undefined {
  return isObject(input) ? textOf(input['command']) : undefined;
}

async function readByGuard(args: Arguments, root: string, command: string): Promise<GuardAnswer> {
  const { effective, findings, ...explanation } = explainCommand(command, await readGuardRules(at(args, root)));
  // A finding consists of JSON alone.
  return { ...explanation, effective, findings: findings as unknown as readonly JsonObject[] };
}

/** Returns the parts of a recorded command that the guard named as its reason. Another reading than the recorded one marks nothing. */
export async function marksIn(args: Arguments, here: string, command: string, entry: LogEntry): Promise<readonly Mark[]> {
  const root = statSync(entry.root, { throwIfNoEntry: false })?.isDirectory() ? entry.root : here;
  const said = JSON.stringify([entry.reason, entry.outcome] satisfies Json);
  const { findings } = explainCommand(command, await readGuardRules(at(args, root)));
  return findings.flatMap(({ rule, span, message }) =>
    span !== undefined && said.includes(rule) ? [{ from: span[0], to: span[1], says: message }] : [],
  );
}
