/** Finds the handlers under one event: a flat list of them, groups as Claude Code has them, and the shapes people write instead. */
import { type Entry, entryOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import type { Complaints } from '../../core/loading.ts';
import { type FoundHandler, type FoundMatcher, matcherOf, sayLoose, shellLine, wordsIn } from '../../core/matcher-groups.ts';

const HOW = 'Write `[{"type": "command", "bash": "…"}]`.';

export function findEntries({ key, value }: Entry, complaints: Complaints): FoundHandler[] {
  if (value.kind === 'list') return value.items.flatMap((item, i) => fromItem(item, `${key}[${i}]`, complaints));
  if (value.kind === 'scalar' && (value.value === null || value.value === false)) return [];
  const isNames = value.kind === 'map' && value.entries.length > 0 && value.entries.every((entry) => isEntryLike(entry.value));
  if (isNames) {
    sayLoose(complaints, value.at, `\`${key}\` should be a list, found a map of names.`, HOW);
    return value.entries.flatMap((entry) =>
      fromItem(entry.value, `${key}.${entry.key}`, complaints).map((found) => ({ ...found, name: entry.key })),
    );
  }
  const found = fromItem(value, key, complaints);
  if (found.length > 0 && value.kind === 'map') sayLoose(complaints, value.at, `\`${key}\` should be a list, found a single one.`, HOW);
  return found;
}

/** A handler's own fields are texts, numbers and maps of variables; what stands under a name is a handler. */
function isEntryLike(node: Node): boolean {
  return (
    node.kind === 'map' && ['type', 'bash', 'command', 'powershell', 'exec', 'url', 'prompt', 'hooks'].some((key) => entryOf(node, key))
  );
}

function fromItem(node: Node, path: string, complaints: Complaints): FoundHandler[] {
  if (node.kind !== 'map') return fromLine(node, path, complaints);
  const matcher = matcherOf(node, complaints);
  if (matcher === 'unusable') return [];
  const hooks = entryOf(node, 'hooks')?.value;
  if (!hooks) return [{ at: node.at, path, fields: node, ...(matcher && { matcher }) }];
  if (hooks.kind === 'scalar' && (hooks.value === null || hooks.value === false)) return [];
  if (hooks.kind === 'list') return hooks.items.flatMap((item, i) => inGroup(item, node, matcher, `${path}.hooks[${i}]`, complaints));
  const found = inGroup(hooks, node, matcher, `${path}.hooks`, complaints);
  if (found.length > 0) sayLoose(complaints, hooks.at, `The \`hooks\` of a group should be a list, found ${kindName(hooks)}.`, HOW);
  return found;
}

function inGroup(node: Node, group: MapNode, shared: FoundMatcher | undefined, path: string, complaints: Complaints): FoundHandler[] {
  const found: FoundHandler[] = node.kind === 'map' ? [{ at: node.at, path, fields: node }] : fromLine(node, path, complaints);
  return found.map((one) => ({ ...one, group, ...(shared && { matcher: shared }) }));
}

function fromLine(node: Node, path: string, complaints: Complaints): FoundHandler[] {
  const words = wordsIn(node);
  const line = words ? shellLine(words) : node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  if (line.trim() === '') {
    const found = node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node);
    complaints.say('error', 'wrong-type', node.at, `\`${path}\` must be a hook, found ${found}; it is skipped.`, HOW);
    return [];
  }
  sayLoose(complaints, node.at, `\`${path}\` should be a map, found a bare command.`, HOW);
  return [{ at: node.at, path, line }];
}
