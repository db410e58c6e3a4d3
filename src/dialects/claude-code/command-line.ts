/**
 * Every way to write a command as one line for a shell, so that what is audited and what runs are the same text. Placeholders become
 * variables, which the shell fills in without reading their values as code.
 */
import { shellLine } from '../../core/matcher-groups.ts';

/** Variables that may stand in a command as `${NAME}`. */
const PLACEHOLDER = /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA|user_config\.([A-Za-z_]\w*))\}/g;

/** The shell form: as it stands, but for `${user_config.x}`, which no shell could read. */
export function shellForm(command: string, shell: string | undefined): string {
  const line = command.replace(PLACEHOLDER, (whole, name: string, option?: string) =>
    option === undefined ? whole : `\${${variable(name)}}`,
  );
  if (shell === 'bash') return `bash -c ${shellLine([line])}`;
  return shell === 'powershell' ? `pwsh -NoProfile -NonInteractive -Command ${shellLine([line])}` : line;
}

/** The exec form: no shell reads the words; only placeholders are filled in. */
export function execForm(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word === '') return "''";
  let line = '';
  let from = 0;
  for (const match of word.matchAll(PLACEHOLDER)) {
    line += `${plain(word.slice(from, match.index))}"\${${variable(match[1] ?? '')}}"`;
    from = match.index + match[0].length;
  }
  return line + plain(word.slice(from));
}

function plain(text: string): string {
  return text === '' ? '' : shellLine([text]);
}

function variable(name: string): string {
  return name.startsWith('user_config.') ? `CLAUDE_PLUGIN_OPTION_${name.slice('user_config.'.length).toUpperCase()}` : name;
}
