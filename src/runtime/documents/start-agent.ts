/** `startAgent`: an agent that is a folder, with its skills and the handlers of its hooks. */
import path from 'node:path';
import type { HooklineOptions } from '../../api/options.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { AgentOptions, LivingAgent } from '../contract.ts';
import { createAgent } from '../create-agent.ts';
import { isFile, isFolder, readAgentFile } from './agent-file.ts';

export interface StartOptions extends Partial<Omit<AgentOptions, 'hooks'>> {
  /** Handler types of your own, which the hooks of skills can name. */
  readonly hookHandlers?: NonNullable<HooklineOptions['handlers']>;
  /** Options of the engine. */
  readonly hooks?: HooklineOptions;
}

const FILE = 'AGENT.md';

/**
 * Creates the agent of a folder and starts it. `AGENT.md` in the folder can have a `name`, a `model` and a system prompt, and `skills/` has skills
 * of its own. An option counts more than the file.
 */
export async function startAgent(
  folder: string,
  { hookHandlers, hooks, skills = [], ...options }: StartOptions = {},
): Promise<LivingAgent> {
  const root = path.resolve(options.cwd ?? process.cwd());
  const home = path.resolve(root, folder);
  if (!isFolder(home))
    throw new HooklineError('bad-option', `There is no folder ${home} for the agent.`, { hint: 'Name the folder of an agent.' });
  const text = isFile(path.join(home, FILE)) ? await readAgentFile(path.join(home, FILE)) : { system: '' };
  const model = options.model ?? text.model;
  if (model === undefined)
    throw new HooklineError('bad-option', `The agent in ${home} has no model.`, {
      hint: `Give \`model\`, or write \`model: provider:model\` into its ${FILE}.`,
    });
  const own = path.join(home, 'skills');
  const agent = await createAgent({
    ...{ name: text.name ?? path.basename(home), ...(text.system !== '' && { system: text.system }) },
    ...options,
    ...{ model, cwd: root, skills: [...skills.map((one) => path.resolve(root, one)), ...(isFolder(own) ? [own] : [])] },
    hooks: { ...hooks, handlers: { ...hooks?.handlers, ...hookHandlers } },
  });
  try {
    await agent.start();
  } catch (error) {
    await agent.stop();
    throw error;
  }
  return agent;
}
