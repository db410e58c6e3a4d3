/** The skills of an agent: SKILL.md files. The model sees their names and descriptions, and the body of one when it activates it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { fieldOf, type Node } from '../../core/values/document.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { frontmatterBody, parseFrontmatter } from '../../load/formats/frontmatter.ts';

export interface SkillText {
  readonly name: string;
  readonly description: string;
  /** The folder of its file. The body may name other files in it. */
  readonly folder: string;
  readonly file: string;
}

const FILE = 'SKILL.md';

/** Reads names and descriptions of all skills below the folders. The first of two skills of one name counts, and the other is reported. */
export async function readSkills(folders: readonly string[]): Promise<{ skills: SkillText[]; diagnostics: Diagnostic[] }> {
  const skills = new Map<string, SkillText>();
  const diagnostics: Diagnostic[] = [];
  const report = (file: string, message: string, hint: string): void =>
    void diagnostics.push({ severity: 'error', code: 'bad-skill', file, message, hint });
  for (const file of folders.flatMap(skillFiles)) {
    const document = await parseFrontmatter(file, readFileSync(file, 'utf8'));
    diagnostics.push(...document.diagnostics);
    const name = textAt(document.root, 'name') ?? path.basename(path.dirname(file));
    const description = textAt(document.root, 'description');
    const other = skills.get(name);
    if (description === undefined)
      report(file, `The skill \`${name}\` has no description, so no model can choose it.`, 'Add `description:` to its frontmatter.');
    else if (other) report(file, `There is a skill \`${name}\` already: ${other.file}.`, 'Give one of them another `name`.');
    else skills.set(name, { name, description, folder: path.dirname(file), file });
  }
  return { skills: [...skills.values()], diagnostics };
}

/** Returns the body of a skill with the arguments in it, as its file is now. */
export function skillBody({ file, folder }: SkillText, given: string): string {
  const body = frontmatterBody(readFileSync(file, 'utf8')).trim();
  // A function, because `$&` in the arguments is text.
  const filled = body.replaceAll('$ARGUMENTS', () => given);
  const added = given !== '' && filled === body ? `\n\nArguments: ${given}` : '';
  return `The files of this skill are in ${folder}.\n\n${filled}${added}`;
}

/** Returns the part of the system prompt that lists the skills. */
export function skillList(skills: readonly SkillText[]): string {
  if (skills.length === 0) return '';
  const lines = skills.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, ' ').trim()}`);
  return ['Skills. Call the tool `skill` with the name of one to get its instructions before you do what it describes:', ...lines].join(
    '\n',
  );
}

function skillFiles(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new HooklineError('bad-option', `\`skills\` names ${folder}, which is no folder.`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === FILE && !name.split(path.sep).includes('node_modules'))
    .sort()
    .map((name) => path.join(folder, name));
}

function textAt(root: Node | undefined, key: string): string | undefined {
  const node = fieldOf(root, key);
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '' ? node.value : undefined;
}
