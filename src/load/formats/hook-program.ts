/**
 * Reads the settings that a program states about itself. A module states them in `export default defineHook({ … })`. Any other program states them
 * in a comment near its start, as YAML after `hookline:`. Nothing of the program runs.
 */

import { isModule } from '../../core/contracts/agent.ts';
import type { Document } from '../../core/values/document.ts';
import { failed, refuse } from './intake.ts';

export function parseHookProgram(file: string, text: string): Document | Promise<Document> {
  const refused = refuse(file, text);
  if (refused) return refused;
  return isModule(file) ? ofModule(file, text) : ofHeader(file, text);
}

async function ofModule(file: string, text: string): Promise<Document> {
  const { settings, diagnostics } = (await import('../../syntax/hook-settings.ts')).readHookSettings(file, text);
  return { file, ...(settings && { root: settings }), diagnostics };
}

/** The header begins in one of these lines. */
const MOST_LINES = 20;
const HEADER = /^(\s*(?:#|\/\/|--|;|%|REM)[ \t]*)hookline:/i;

async function ofHeader(file: string, text: string): Promise<Document> {
  const lines = text.split('\n');
  const first = lines.slice(0, MOST_LINES).findIndex((line) => HEADER.test(line));
  if (first < 0) {
    const hint = 'Add a comment such as `# hookline: { on: tool.before, match: { tool: Bash } }`, or move the file into a folder below.';
    return failed(file, { line: 1, column: 1 }, 'no-hook', `There is no \`hookline:\` comment in the first ${MOST_LINES} lines.`, hint);
  }
  const yaml = headerText(lines.slice(first));
  const { parseYaml } = await import('./yaml.ts');
  const { root, diagnostics } = parseYaml(file, yaml, first + 1);
  const settings = root?.kind === 'map' ? root.entries[0]?.value : undefined;
  if (settings?.kind === 'map' || diagnostics.some(({ severity }) => severity === 'error'))
    return { file, ...(settings && { root: settings }), diagnostics };
  const at = settings?.at ?? { line: first + 1, column: 1 };
  return failed(file, at, 'wrong-type', 'The `hookline:` comment has no settings.', 'Write `{ on: tool.before }` after it.');
}

/** The comment signs become spaces, so that every position is that of the file. The header ends before the first line that is not indented more. */
function headerText([first = '', ...rest]: readonly string[]): string {
  const sign = HEADER.exec(first)?.[1] ?? '';
  const mark = sign.trim();
  const taken: string[] = [' '.repeat(sign.length) + first.slice(sign.length)];
  for (const line of rest) {
    const lead = /^\s*/.exec(line)?.[0] ?? '';
    const body = line.slice(lead.length + mark.length);
    if (
      !line.startsWith(mark, lead.length) ||
      body.trim() === '' ||
      lead.length + mark.length + (/^\s*/.exec(body)?.[0].length ?? 0) <= sign.length
    )
      break;
    taken.push(' '.repeat(lead.length + mark.length) + body);
  }
  return taken.join('\n');
}
