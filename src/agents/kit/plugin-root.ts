/** The folder of a plugin in the commands of its hooks. */

export const ROOT_VARIABLE = `\${CLAUDE_PLUGIN_ROOT}`;

/**
 * Replaces `${CLAUDE_PLUGIN_ROOT}` by the plugin's folder. The documents replace plain text; here the folder is quoted where its characters would
 * mean something to the shell, in the way that its place in the line needs, so that a folder with spaces works too.
 */
export function expandRoot(command: string, folder: string): string {
  if (!command.includes(ROOT_VARIABLE)) return command;
  if (SAFE.test(folder)) return command.replaceAll(ROOT_VARIABLE, () => folder);
  /** The constructs around the scanner, innermost last. `(` and a backtick begin a command of their own, with quotes of their own. */
  const inside: Place[] = ['plain'];
  return command.replace(TOKEN, (token) => {
    const place = inside.at(-1) ?? 'plain';
    if (token === ROOT_VARIABLE) return READ_TWICE.test(folder) && inside.includes('tick') ? `"${token}"` : quoted(folder, place);
    const next = step(token, place, inside.length);
    if (next === 'leave') inside.pop();
    else if (next) inside.push(next);
    return token;
  });
}

type Place = 'plain' | 'double' | 'single' | 'paren' | 'tick';

/** A shell reads these again within backticks, whatever the quotes. It finds the folder in the environment there. */
const READ_TWICE = /[`\\]/;
const SAFE = /^[A-Za-z0-9_/.,:@%+=-]+$/;
const TOKEN = /\$\{CLAUDE_PLUGIN_ROOT\}|\\[\s\S]|\$\(|['"`()]/g;

/** Which place a token leads to, `leave` if it ends the current one, nothing if it is ordinary text there. */
function step(token: string, place: Place, depth: number): Place | 'leave' | undefined {
  if (place === 'single') return token === "'" || token === "\\'" ? 'leave' : undefined;
  switch (token) {
    case '"':
      return place === 'double' ? 'leave' : 'double';
    case "'":
      return place === 'double' ? undefined : 'single';
    case '$(':
      return 'paren';
    case '(':
      return place === 'double' ? undefined : 'paren';
    case ')':
      return place === 'paren' && depth > 1 ? 'leave' : undefined;
    case '`':
      return place === 'tick' ? 'leave' : 'tick';
    default:
      return undefined;
  }
}

function quoted(folder: string, place: Place): string {
  if (place === 'double') return folder.replace(/[\\"$`]/g, '\\$&');
  const inner = folder.replaceAll("'", "'\\''");
  return place === 'single' ? inner : `'${inner}'`;
}
