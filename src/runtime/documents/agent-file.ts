/** An agent as a Markdown file: its settings are the frontmatter, and its system prompt is the body. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fieldOf, kindName, type Node } from '../../core/values/document.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { stringsIn } from '../../core/values/read-document.ts';
import { frontmatterBody, parseFrontmatter } from '../../load/formats/frontmatter.ts';
import type { Subagent } from '../contract.ts';

export interface AgentText {
  readonly name?: string;
  readonly description?: string;
  readonly model?: string;
  /** The names of its tools; absent: all. */
  readonly tools?: readonly string[];
  readonly system: string;
}

/** Reads the file. An agent with settings that cannot be read is not started without them. */
export async function readAgentFile(file: string): Promise<AgentText> {
  const text = readFileSync(file, 'utf8');
  const { root, diagnostics } = await parseFrontmatter(file, text);
  const [broken] = diagnostics.filter(({ severity }) => severity === 'error');
  if (broken) throw bad(`${file}:${broken.line ?? 1}:${broken.column ?? 1}: ${broken.message}`, broken.hint);
  const [name, description, model] = ['name', 'description', 'model'].map((key) => textAt(root, key, file));
  const tools = toolsIn(root, file);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(model !== undefined && { model }),
    ...(tools && { tools }),
    system: frontmatterBody(text).trim(),
  };
}

/**
 * Reads every Markdown file of a folder as a subagent; none if there is no such folder.
 * @param known the tools of the agent; a subagent has those of them that its file names
 */
export async function readSubagents(folder: string, known: readonly string[]): Promise<Record<string, Subagent>> {
  if (!isFolder(folder)) return {};
  const subagents: [string, Subagent][] = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()) {
    const { name, description, tools, system } = await readAgentFile(path.join(folder, file));
    if (description === undefined)
      throw bad(
        `${path.join(folder, file)}: The agent has no \`description\`, so no model can choose it.`,
        'Add `description:` to its frontmatter.',
      );
    const own = tools?.filter((tool) => known.includes(tool));
    subagents.push([name ?? path.basename(file, '.md'), { description, system, ...(own && { tools: own }) }]);
  }
  return Object.fromEntries(subagents);
}

export function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function textAt(root: Node | undefined, key: string, file: string): string | undefined {
  const node = fieldOf(root, key);
  if (!node || (node.kind === 'scalar' && node.value === null)) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  throw bad(`${file}:${node.at.line}:${node.at.column}: \`${key}\` must be text, found ${kindName(node)}.`, `Write \`${key}: …\`.`);
}

/** Names in a list, or in a text with commas. */
function toolsIn(root: Node | undefined, file: string): readonly string[] | undefined {
  const node = fieldOf(root, 'tools');
  if (!node || (node.kind === 'scalar' && node.value === null)) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'string') return node.value.split(',').flatMap((name) => name.trim() || []);
  const names = stringsIn(node);
  if (names) return names;
  throw bad(
    `${file}:${node.at.line}:${node.at.column}: \`tools\` must be names of tools, found ${kindName(node)}.`,
    'Write `tools: Read, Bash`.',
  );
}

function bad(message: string, hint: string | undefined): HooklineError {
  return new HooklineError('bad-option', message, hint === undefined ? {} : { hint });
}
