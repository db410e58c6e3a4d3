/** Opens the agent of `hookline agent`: the engine with the guard, the model, the tools, and the conversations on disk. */
import path from 'node:path';
import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline } from '../../api/hookline.ts';
import { resolveHome } from '../../load/find/home.ts';
import { createAskers } from '../../people/askers.ts';
import type { AgentEvent, AgentOptions, ConversationStore, LivingAgent, Model } from '../../runtime/contract.ts';
import { fileConversations } from '../../runtime/conversations/files.ts';
import { loadAiSdk, openModel } from '../../runtime/models/open-model.ts';
import { openAgent } from '../../runtime/open-agent.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { engineOptions } from '../engine-options.ts';
import { withScriptedOffer } from './choose-model.ts';
import { projectTools } from './project-tools.ts';
import { demonstration } from './scripted.ts';

export interface Opened {
  readonly agent: LivingAgent;
  readonly hookline: Hookline;
  close(): Promise<void>;
}

export interface Wanted {
  readonly args: Arguments;
  readonly root: string;
  /** Undefined: the script. */
  readonly model: string | undefined;
  /** Whether conversations are kept although nothing of them waits. */
  readonly keeps: boolean;
  readonly onHold?: AgentOptions['onHold'];
  onEvent(event: AgentEvent): void;
}

/** How long turns and hooks may take to end. */
const CLOSE_MS = 5_000;

export async function openProjectAgent({ args, root, model, keeps, onHold, onEvent }: Wanted): Promise<Opened> {
  const home = optionValue(args, 'home');
  const { stateFolder } = resolveHome({ home }, process.env);
  const [sdk, opened] = await openSdk(model, home);
  // Commands that this process starts are an agent's, so none of them may approve anything.
  createAskers(stateFolder)(process.pid);
  const hookline = await createHookline({ ...engineOptions(args, root), root, agent: NAME });
  try {
    hookline.on('tool.before', 'hookline guard', { name: 'guard' });
    const agent = await openAgent(
      {
        ...{ name: NAME, model: opened, cwd: root, hooks: hookline, onEvent, system: systemPrompt(root) },
        models: async (name) => (await openModel(name, { home })) as unknown as Model,
        tools: projectTools(root, sdk.jsonSchema),
        conversation: conversations(path.join(stateFolder, 'hookline', 'conversations'), keeps),
        ...(onHold && { onHold }),
      },
      sdk,
    );
    const close = async (): Promise<void> => {
      await agent.stop({ deadlineMs: CLOSE_MS });
      await hookline.close(CLOSE_MS);
    };
    return { agent, hookline, close };
  } catch (error) {
    await hookline.close(0);
    throw error;
  }
}

const NAME = 'hookline';

async function openSdk(model: string | undefined, home: string | undefined): Promise<[typeof import('ai'), Model]> {
  try {
    const opened = model === undefined ? demonstration() : ((await openModel(model, { home })) as unknown as Model);
    return [(await loadAiSdk({ home })) as unknown as typeof import('ai'), opened];
  } catch (error) {
    throw model === undefined ? error : withScriptedOffer(error);
  }
}

function systemPrompt(root: string): string {
  return [
    `You are an agent that works in the project folder ${root}. Use the tools to read and write its files and to run commands there.`,
    'Hooks of the user judge every call. If one is denied, read the reason, do not try to get around it, and say what you could not do.',
    'Answer in plain text for a terminal.',
  ].join('\n');
}

/** A conversation that no one names again is stored only if a turn of it waits for a person. */
function conversations(folder: string, keeps: boolean): ConversationStore {
  const files = fileConversations(folder);
  const stored = new Set<string>();
  return {
    async load(session) {
      const found = await files.load(session);
      if (found) stored.add(session);
      return found;
    },
    async save(session, conversation) {
      if (!keeps && conversation.parked === undefined && !stored.has(session)) return;
      stored.add(session);
      await files.save(session, conversation);
    },
  };
}
