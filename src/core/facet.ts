/** Facets: all of an event that a hook's conditions may look at. Derived from the canonical payload, on demand. */
import type { HookEvent } from './event.ts';
import { isObject, type Json, serialise, textOf } from './json.ts';
import { targetsOf } from './tool-target.ts';

export type Facet =
  | 'tool'
  | 'toolTail'
  | 'input'
  | 'agent'
  | 'subagent'
  | 'skill'
  | 'model'
  | 'channel'
  | 'user'
  | 'text'
  | 'cause'
  | 'subject'
  | 'target';

/** Facets that change with every call, so a plan may not be remembered by them. */
export const DYNAMIC_FACETS: ReadonlySet<Facet> = new Set(['input', 'text', 'target']);

/** The values of a facet; undefined if this event has nothing of the kind to test. */
export function facetValues(event: HookEvent, facet: Facet): readonly string[] | undefined {
  const { data } = event;
  switch (facet) {
    case 'tool':
      return withAliases(event, one(data['tool']));
    case 'toolTail': {
      const tool = textOf(data['tool']);
      return tool === undefined ? undefined : withAliases(event, [tool.slice(tool.lastIndexOf('.') + 1)]);
    }
    case 'input':
      return data['input'] === undefined || data['input'] === null ? undefined : [...leaves(data['input']), serialise(data['input'])];
    case 'agent':
      return one(data['agent']);
    case 'subagent':
      return event.kind.startsWith('subagent.') ? one(data['name']) : undefined;
    case 'skill':
      return event.kind.startsWith('skill.') ? one(data['skill']) : undefined;
    case 'model':
      return one(data['model']);
    case 'channel':
      return one(data['channel']);
    case 'user':
      return one(data['user']);
    case 'text':
      return one(data['prompt'] ?? data['content']);
    // What brought it about, or what sort it is: `startup` of a session, `auto` of a compaction, `idle_prompt` of a notification.
    case 'cause':
      return one(data['source'] ?? data['reason'] ?? data['type']);
    // What it is about, where that is neither a tool nor a text: a model, a server, a command, a file's name.
    case 'subject':
      return one(data['to'] ?? data['server'] ?? data['command']) ?? baseName(data['path']);
    case 'target':
      return targetsOf(data['input']);
  }
}

function withAliases({ toolAliases }: HookEvent, own: readonly string[] | undefined): readonly string[] | undefined {
  return own && toolAliases ? [...own, ...toolAliases] : own;
}

function baseName(path: Json | undefined): readonly string[] | undefined {
  return typeof path === 'string' ? [path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)] : undefined;
}

function one(value: Json | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : undefined;
}

/** Every string in a value, depth first, without recursion: a payload may be nested as deep as its sender likes. */
function leaves(value: Json): string[] {
  const found: string[] = [];
  const stack: (Json | undefined)[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string') found.push(next);
    else if (Array.isArray(next)) for (let i = next.length - 1; i >= 0; i--) stack.push(next[i] as Json);
    else if (isObject(next)) for (const item of Object.values(next).reverse()) stack.push(item);
  }
  return found;
}
