/**
 * Notes which skills are active in a session, because the hooks of a skill are asked only while it is. A skill becomes active when the agent
 * uses it, reads its file, or the user types its name as a command. It stays active until the session ends.
 */
import type { Hook } from '../../core/contracts/hook.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import type { OnceMemory } from './once.ts';

export const INACTIVE_SKILL = 'its skill is not active in this session';

export function isActive(memory: OnceMemory, session: string, skill: string): boolean {
  return memory.has(session, noteOf(skill));
}

/** @param hooks those that belong to a skill */
export function noteActiveSkills(memory: OnceMemory, hooks: readonly Hook[], event: HookEvent): void {
  const used = usedSkill(event);
  const texts = isObject(event.data['input']) ? Object.values(event.data['input']) : [];
  for (const { skill, source } of hooks) {
    if (skill === undefined || isActive(memory, event.session.id, skill)) continue;
    if (used === skill || texts.some((text) => isFile(text, source.file, event.session.cwd))) memory.add(event.session.id, noteOf(skill));
  }
}

/** Not the id of any hook: those contain a `#`. */
function noteOf(skill: string): string {
  return `active skill ${skill}`;
}

/** Returns the name of the skill that the event uses. A skill of a plugin has the name of the plugin before it. */
function usedSkill({ data }: HookEvent): string | undefined {
  const named = nameIn(data['skill']) ?? ofTool(data['tool'], data['input']) ?? ofPrompt(data['prompt']);
  return named?.slice(named.lastIndexOf(':') + 1);
}

function nameIn(value: Json | undefined): string | undefined {
  return textOf(value) ?? (isObject(value) ? textOf(value['name']) : undefined);
}

/** `Skill` and its relatives: `use_skill`, `activate_skill`, `load_skill`. */
const SKILL_TOOL = /^(?:\w+_)?skill$/i;
const NAME_KEYS = ['skill', 'name', 'skill_name', 'skillName', 'command'];

function ofTool(tool: Json | undefined, input: Json | undefined): string | undefined {
  if (typeof tool !== 'string' || !SKILL_TOOL.test(tool) || !isObject(input)) return undefined;
  return NAME_KEYS.map((key) => textOf(input[key])).find((name) => name !== undefined);
}

function ofPrompt(prompt: Json | undefined): string | undefined {
  return typeof prompt === 'string' ? /^\s*\/([\w:.-]+)/.exec(prompt)?.[1] : undefined;
}

function isFile(text: Json | undefined, file: string, cwd: string): boolean {
  return typeof text === 'string' && text.endsWith('SKILL.md') && (text === file || `${cwd}/${text.replace(/^\.\//, '')}` === file);
}
