/** The system prompt before `prompt.build`: the text of the options, then the skills and subagents by name and description. */
import type { Scene } from './scene.ts';
import { skillList } from './skills/skills.ts';

export function systemPrompt({ agent, system }: Pick<Scene, 'agent' | 'system'>): string {
  return [system ?? '', skillList(agent.skills), agentList(agent.subagents)].filter((part) => part !== '').join('\n\n');
}

function agentList(subagents: Scene['agent']['subagents']): string {
  const lines = Object.entries(subagents).map(([name, { description }]) => `- ${name}: ${description.replace(/\s+/g, ' ').trim()}`);
  return lines.length === 0 ? '' : ['Agents. Hand a task to one with the tool `task`:', ...lines].join('\n');
}
