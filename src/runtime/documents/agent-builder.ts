/** `Agent.builder()`: an agent step by step, from the files of a Claude Code project and from hooks in code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Hook } from '../../api/claude-agent/hook.ts';
import type { HookEvent } from '../../api/claude-agent/hook-input.ts';
import type { HooklineOptions } from '../../api/options.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { AgentOptions, LivingAgent } from '../contract.ts';
import { createAgentWith } from '../create-agent.ts';
import { isFile, isFolder, readSubagents } from './agent-file.ts';

export class AgentBuilder {
  readonly #options: Partial<AgentOptions>;
  readonly #folder: string | undefined;
  readonly #hooks: readonly Hook[];

  constructor(options: Partial<AgentOptions> = {}, folder?: string, hooks: readonly Hook[] = []) {
    this.#options = options;
    this.#folder = folder;
    this.#hooks = hooks;
  }

  /**
   * Takes the project's instructions (`CLAUDE.md`), skills and subagents. The engine reads the hooks of its settings as always: those of a project
   * run once a person has trusted them.
   */
  fromClaudeCode(folder: string): AgentBuilder {
    return new AgentBuilder(this.#options, path.resolve(folder), this.#hooks);
  }

  /** Adds a hook in code. */
  hook<E extends HookEvent>(hook: Hook<E>): AgentBuilder {
    return new AgentBuilder(this.#options, this.#folder, [...this.#hooks, hook as Hook]);
  }

  /** Sets options of the agent. */
  with(options: Partial<Omit<AgentOptions, 'hooks'>> & { readonly hooks?: HooklineOptions }): AgentBuilder {
    return new AgentBuilder({ ...this.#options, ...options }, this.#folder, this.#hooks);
  }

  async build(): Promise<LivingAgent> {
    const { model } = this.#options;
    if (model === undefined)
      throw new HooklineError('bad-option', 'The agent has no model.', { hint: 'Call `.with({ model })` before `build()`.' });
    const project = this.#folder === undefined ? {} : await projectParts(this.#folder, Object.keys(this.#options.tools ?? {}));
    const { skillTexts = [], ...parts } = project;
    const agent = await createAgentWith({ ...parts, ...this.#options, model }, skillTexts);
    for (const hook of this.#hooks) agent.hookline.on(hook);
    return agent;
  }
}

export const Agent = { builder: (): AgentBuilder => new AgentBuilder() };

interface ProjectParts extends Pick<AgentOptions, 'cwd' | 'system' | 'subagents'> {
  /** Skills whose hooks are the project's, so naming the project does not trust them. */
  readonly skillTexts?: readonly string[];
}

async function projectParts(root: string, tools: readonly string[]): Promise<ProjectParts> {
  if (!isFolder(root)) throw new HooklineError('bad-option', `There is no folder ${root}.`);
  const notes = [path.join(root, 'CLAUDE.md'), path.join(root, '.claude/CLAUDE.md')].filter(isFile);
  const system = notes.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n');
  const skills = path.join(root, '.claude/skills');
  return {
    cwd: root,
    ...(system !== '' && { system }),
    subagents: await readSubagents(path.join(root, '.claude/agents'), tools),
    skillTexts: isFolder(skills) ? [skills] : [],
  };
}
