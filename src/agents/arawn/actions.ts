/** Reads one hook action: its kind, the fields it needs, and the handler it becomes. A bad action is reported; its neighbours load. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { limitOf, SHORTEST_MS } from '../kit/absurd-timeouts.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { expandRoot } from '../kit/plugin-root.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

export interface Action {
  readonly handler: Hook['handler'];
  readonly timeoutMs: number;
  readonly required?: true;
  readonly unusable?: string;
}

const TYPES = ['command', 'prompt', 'agent'] as const;
export const FIELDS = ['type', 'command', 'prompt', 'agent', 'timeout', 'required'];

export function readAction(node: Node, context: LoadContext, problems: Problems): Action | undefined {
  if (node.kind !== 'map') {
    const what = `A hook action must be an object with \`type\`, found ${kindName(node)}.`;
    problems.report('error', 'wrong-type', node.at, what, 'Write it like `{"type": "command", "command": "…"}`.');
    return undefined;
  }
  const required = readScalar(node, 'required', 'boolean', problems)?.value === true && { required: true as const };
  const own = ownHandler(node, context);
  if (own) {
    const timeout = readTimeout(node, problems);
    return timeout && { handler: own, ...timeout, ...required };
  }
  warnUnknown(node, FIELDS, 'a hook action', problems);
  const type = readType(node, problems);
  if (!type) return undefined;
  const subject = readRequired(node, type, problems);
  const timeout = readTimeout(node, problems);
  if (subject === undefined || timeout === undefined) return undefined;
  return { handler: { type, config: configOf(type, subject, node, context) }, ...timeout, ...required };
}

function configOf(type: (typeof TYPES)[number], subject: string, node: MapNode, context: LoadContext): JsonObject {
  switch (type) {
    case 'command':
      return { command: expandRoot(subject, context.folder) };
    case 'prompt':
      return { prompt: subject };
    case 'agent': {
      const prompt = entryOf(node, 'prompt')?.value;
      const instructions = instructionsOf(subject, context);
      return {
        agent: subject,
        ...(prompt?.kind === 'scalar' && typeof prompt.value === 'string' && { prompt: prompt.value }),
        ...(instructions !== undefined && { instructions }),
      };
    }
  }
}

/** quirk agent-file: the text of `agents/<name>.md` in the plugin, without its frontmatter. It is part of the hook, so trust covers it. */
function instructionsOf(agent: string, context: LoadContext): string | undefined {
  if (!/^[\w-][\w.-]*$/.test(agent)) return undefined;
  const root = context.read(`agents/${agent}.md`, 'program')?.root;
  const text = root?.kind === 'scalar' && typeof root.value === 'string' ? root.value : '';
  const body = text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '').trim();
  return body === '' ? undefined : body;
}

function readType(node: MapNode, problems: Problems): (typeof TYPES)[number] | undefined {
  if (!entryOf(node, 'type')) {
    problems.report(
      'error',
      'missing-field',
      node.at,
      'The hook action has no `type`.',
      `Add \`"type": "command"\`, \`"prompt"\` or \`"agent"\`.`,
    );
    return undefined;
  }
  const type = readScalar(node, 'type', 'string', problems);
  if (!type) return undefined;
  const known = TYPES.find((name) => name === type.value);
  if (!known) {
    const near = suggest(type.value, TYPES);
    const hint = near ? `Did you mean \`${near}\`?` : `Known types: ${TYPES.join(', ')}.`;
    problems.report('warning', 'unknown-type', type.at, `There is no hook action of type \`${type.value}\`; it is skipped.`, hint);
  }
  return known;
}

function readRequired(node: MapNode, key: string, problems: Problems): string | undefined {
  const entry = entryOf(node, key);
  const found = readScalar(node, key, 'string', problems);
  if (found && found.value.trim() !== '') return found.value;
  if (!entry) problems.report('error', 'missing-field', node.at, `The hook action has no \`${key}\`.`, `Add \`"${key}": "…"\`.`);
  else if (found || (entry.value.kind === 'scalar' && entry.value.value === null)) {
    problems.report('error', 'out-of-range', entry.value.at, `\`${key}\` is empty.`, 'Give it a text.');
  }
  return undefined;
}

/** quirk absurd-timeout: the hook is kept, but it is not run, because it could never answer in time. */
function readTimeout(node: MapNode, problems: Problems): Pick<Action, 'timeoutMs' | 'unusable'> | undefined {
  const { fallbackMs } = profile.ask.timeout;
  const entry = entryOf(node, 'timeout');
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return { timeoutMs: fallbackMs };
  const found = readScalar(node, 'timeout', 'number', problems);
  if (!found) return { timeoutMs: fallbackMs, unusable: 'its `timeout` is not a number' };
  const { value, at } = found;
  if (!Number.isInteger(value) || value < 1 || value > LONGEST_TIMER_MS) {
    const what = `\`timeout\` must be a whole number of milliseconds, at least ${SHORTEST_MS}, found ${value}. The hook is not run, and denies.`;
    problems.report('error', 'out-of-range', at, what, `Leave it out to get ${fallbackMs} ms.`);
    return { timeoutMs: fallbackMs, unusable: `its \`timeout\` of ${value} cannot be kept` };
  }
  return limitOf(value, 'milliseconds', at, problems);
}
