/** The tool with which the model activates a skill: `skill.before`, the body of its SKILL.md, `skill.after`. */
import type { ToolSet } from 'ai';
import { isObject, textOf } from '../../core/values/json.ts';
import { refusalText } from '../../sdk/kit/texts.ts';
import type { AiSdk } from '../scene.ts';
import type { InnerTool } from '../tool-calls.ts';
import { type SkillText, skillBody } from './skills.ts';

export const SKILL_TOOL = 'skill';

/** The tool as the model sees it. */
export function skillDefinition({ jsonSchema }: Pick<AiSdk, 'jsonSchema'>): ToolSet[string] {
  const text = (description: string) => ({ type: 'string', description }) as const;
  return {
    description: 'Returns the instructions of a skill. Follow them.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: { skill: text('The name of the skill.'), args: text('The arguments of the skill, if it takes any.') },
      required: ['skill'],
      additionalProperties: false,
    }),
  };
}

export function skillTool(skills: readonly SkillText[]): InnerTool {
  return {
    async run({ boundary }, { input }, pending) {
      const { skill: name, args } = isObject(input) ? input : {};
      const skill = skills.find((one) => one.name === name);
      if (!skill) throw new Error(`There is no skill \`${String(name)}\`. Skills: ${skills.map((one) => one.name).join(', ')}.`);
      const given = textOf(args) ?? '';
      const definition = { name: skill.name, description: skill.description };
      const payload = { skill: skill.name, arguments: given, definition };
      const crossing = await boundary.cross('skill.before', payload, pending?.held.ticket);
      if (crossing.kind === 'hold') return { kind: 'held', pending: { stage: 'inner', held: crossing.held } };
      if (crossing.kind === 'refuse')
        return {
          ...{ kind: 'result', result: [refusalText(crossing.reason), ...crossing.context].join('\n\n') },
          ...(crossing.halt !== undefined && { halt: crossing.halt }),
        };
      const body = skillBody(skill, given);
      boundary.setSkill(definition);
      const told = await boundary.tell('skill.after', { ...payload, result: body });
      const halt = told.kind === 'refuse' ? told.halt : undefined;
      return {
        ...{ kind: 'result', result: [body, ...crossing.context, ...told.context].join('\n\n') },
        ...(halt !== undefined && { halt }),
      };
    },
  };
}
