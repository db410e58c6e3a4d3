/** Names of agents, projects and people, as people write them. */
const HOSTS: ReadonlyMap<string, string> = new Map([
  ['mcp', 'MCP'],
  ['gemini-cli', 'Gemini CLI'],
  ['opencode', 'OpenCode'],
]);

/** `claude-code` as `Claude Code`. */
export function hostName(host: string): string {
  if (host === '') return 'A program';
  return HOSTS.get(host) ?? host.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => (dash ? ' ' : '') + letter.toUpperCase());
}

/** `mara’s Claude Code`, or `mara’s program` for one that did not name itself. */
export function agentOf(user: string, host: string): string {
  if (user === '') return hostName(host);
  return `${user}’s ${host === '' ? 'program' : hostName(host)}`;
}

/** The last part of a folder's path. */
export function folderName(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ||
    path ||
    '–'
  );
}

/** Two letters for a person or a project. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters =
    words.length > 1 ? [...(words[0] ?? '')].slice(0, 1).concat([...(words[1] ?? '')].slice(0, 1)) : [...(words[0] ?? '?')].slice(0, 2);
  return letters.join('');
}

/** The same name has the same of eight colours. */
export function colourOf(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return sum % 8;
}
