/** The options of an agent, checked and completed. Misuse is an error that says what to write instead. */
import path from 'node:path';
import { HooklineError } from '../core/values/errors.ts';
import type { AgentOptions, Model } from './contract.ts';
import type { AgentParts, AiSdk } from './scene.ts';
import { SKILL_TOOL, skillDefinition, skillTool } from './skills/skill-tool.ts';
import type { SkillText } from './skills/skills.ts';
import { TASK_TOOL, taskDefinition, taskTool } from './subagents.ts';

const BUDGET = 100_000;

export function completeParts(
  options: AgentOptions,
  sdk: AiSdk,
  skills: readonly SkillText[],
  { emit, now }: { emit: AgentParts['emit']; now(): number },
): AgentParts {
  checkOptions(options);
  const { subagents = {}, tools = {}, compaction = {} } = options;
  const hasSkills = skills.length > 0;
  const hasSubagents = Object.keys(subagents).length > 0;
  const budget = compaction === false ? 0 : (compaction.budget ?? BUDGET);
  return {
    ...{ sdk, skills, subagents, tools, emit, model: options.model, system: options.system },
    name: options.name ?? 'agent',
    cwd: path.resolve(options.cwd ?? process.cwd()),
    models: options.models ?? modelNamed,
    maxDepth: options.maxDepth ?? 2,
    maxSteps: options.maxSteps ?? 50,
    maxRetries: options.maxRetries ?? 2,
    stopCap: options.stopCap ?? 8,
    compaction: compaction === false ? null : { budget, keep: compaction.keep ?? Math.floor(budget / 4) },
    inner: { ...(hasSkills && { [SKILL_TOOL]: skillTool(skills) }), ...(hasSubagents && { [TASK_TOOL]: taskTool(subagents, now) }) },
    innerDefinitions: {
      ...(hasSkills && { [SKILL_TOOL]: skillDefinition(sdk) }),
      ...(hasSubagents && { [TASK_TOOL]: taskDefinition(sdk, subagents) }),
    },
  };
}

/** Opens a model by its name with the user's key. The registry is loaded when the first name is used. */
async function modelNamed(name: string): Promise<Model> {
  const { openModel } = await import('./models/open-model.ts');
  return (await openModel(name)) as unknown as Model;
}

function checkOptions(options: AgentOptions): void {
  const { model, tools = {}, subagents = {}, channels = [] } = options;
  if (typeof model !== 'string' && (typeof model !== 'object' || model === null))
    throw bad('`model` must be a model of the AI SDK, or its name.');
  for (const [name, tool] of Object.entries(tools)) {
    if (name === SKILL_TOOL || name === TASK_TOOL) throw bad(`\`tools.${name}\`: the agent has a tool of this name itself.`);
    if (typeof tool !== 'object' || tool === null) throw bad(`\`tools.${name}\` must be a tool of the AI SDK.`);
    if (tool.needsApproval !== undefined && tool.needsApproval !== false)
      throw bad(`\`tools.${name}.needsApproval\` is not asked here. Hold its calls in a hook of \`tool.before\`.`);
  }
  for (const [name, { tools: used = [], description }] of Object.entries(subagents)) {
    const unknown = used.find((tool) => !Object.hasOwn(tools, tool));
    if (unknown !== undefined) throw bad(`\`subagents.${name}.tools\` names \`${unknown}\`, which is not among the tools of the agent.`);
    if (typeof description !== 'string' || description === '') throw bad(`\`subagents.${name}.description\` must say when to use it.`);
  }
  const names = channels.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw bad(`Two channels are called \`${twice}\`.`);
  for (const key of ['maxDepth', 'maxSteps', 'maxRetries', 'stopCap'] as const) {
    const value = options[key];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw bad(`\`${key}\` must be a whole number of at least 0, not ${value}.`);
  }
}

function bad(message: string): HooklineError {
  return new HooklineError('bad-option', message);
}
