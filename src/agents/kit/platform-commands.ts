/**
 * Reads the keys by which VS Code names a command for one operating system. VS Code reads the hook files of other agents, so people write these
 * keys there.
 */
import { fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, stringsIn } from '../../core/values/read-document.ts';
import { reportLooseShape } from './matcher-groups.ts';

export const PLATFORM_KEYS = ['windows', 'linux', 'osx'] as const;
type PlatformKey = (typeof PLATFORM_KEYS)[number];

/** @param platform Node's name for it */
export function platformKey(platform: string = process.platform): PlatformKey {
  return platform === 'win32' ? 'windows' : platform === 'darwin' ? 'osx' : 'linux';
}

/**
 * Returns the fields with the command of this platform as their `command`, so that what is audited and trusted is what runs. A key that cannot
 * be used takes no guard away: `command` is kept.
 */
export function withPlatformCommand(fields: MapNode, path: string, problems: Problems, key: PlatformKey = platformKey()): MapNode {
  const value = fieldOf(fields, key);
  if (!value || isNull(value)) return fields;
  if (!isCommand(value)) {
    const found = value.kind === 'scalar' && typeof value.value === 'string' ? 'empty text' : kindName(value);
    const what = `\`${key}\` of \`${path}\` must be a command, found ${found}; it is ignored.`;
    problems.report('error', 'wrong-type', value.at, what, 'Write it as text.');
    return fields;
  }
  const what = `\`${key}\` of \`${path}\` is a key of VS Code and takes the place of \`command\`.`;
  reportLooseShape(problems, value.at, what, 'The agent itself runs `command`: let both do the same.');
  const others = fields.entries.filter((entry) => entry.key !== 'command');
  return { ...fields, entries: [...others, { key: 'command', at: value.at, value }] };
}

/** Reports a hook that has commands for other platforms alone. Returns false if it has none, and then nothing is reported. */
export function reportOtherPlatform(fields: MapNode, path: string, problems: Problems, own: PlatformKey = platformKey()): boolean {
  const others = PLATFORM_KEYS.filter((key) => {
    const value = fieldOf(fields, key);
    return key !== own && value !== undefined && !isNull(value);
  });
  if (others.length === 0) return false;
  const names = others.map((key) => `\`${key}\``).join(' and ');
  const what = `\`${path}\` has a command for ${names} alone, and this is \`${own}\`; it is skipped.`;
  problems.report('warning', 'missing-field', fields.at, what, `Add \`${own}\`, or a \`command\` for every system.`);
  return true;
}

function isNull(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** Whether this is a command, written as text or as a list of words. */
export function isCommand(node: Node | undefined): boolean {
  return stringsIn(node) !== undefined || (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '');
}
