/** Reads the handler of formats that run commands alone: `{ "type": "command", "command": "…" }`. A bad one is reported and skipped. */
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import { type Problems, readScalar, stringsIn } from '../../core/values/read-document.ts';
import { reportLooseShape, shellLine } from './matcher-groups.ts';

/** @param elsewhere completes "it is of type `http`, which …": why another type does not run */
export function commandIn(fields: MapNode, path: string, elsewhere: string, problems: Problems): Hook['handler'] | undefined {
  const given = entryOf(fields, 'type');
  if (!given) reportLooseShape(problems, fields.at, `\`${path}\` has no \`type\`; it is taken for a command.`, 'Add `"type": "command"`.');
  const type = given ? readScalar(fields, 'type', 'string', problems)?.value : 'command';
  if (type === undefined) return undefined;
  if (type !== 'command') {
    const what = `\`${path}\` is of type \`${type}\`, which ${elsewhere}; it is skipped.`;
    problems.report('warning', 'unknown-type', given?.value.at, what, 'Only `command` runs.');
    return undefined;
  }
  const node = fieldOf(fields, 'command');
  const words = stringsIn(node);
  if (words)
    reportLooseShape(problems, fields.at, `The \`command\` of \`${path}\` should be text, found a list.`, `Write \`${shellLine(words)}\`.`);
  const text = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
  const command = words ? shellLine(words) : (text ?? '');
  if (command.trim() !== '') return { type: 'command', config: { command } };
  const what = node
    ? `The \`command\` of \`${path}\` must be text, found ${text === undefined ? kindName(node) : 'empty text'}`
    : `\`${path}\` has no \`command\``;
  problems.report('error', node ? 'wrong-type' : 'missing-field', (node ?? fields).at, `${what}; it is skipped.`, 'Add `"command": "…"`.');
  return undefined;
}
