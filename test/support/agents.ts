/** A living agent in a temporary project, and everything that its observers saw. */
import { jsonSchema, type ToolSet } from 'ai';
import { onTestFinished } from 'vitest';
import { type AgentEvent, type AgentOptions, createAgent, type LivingAgent } from '../../src/agent.ts';
import type { EventKind, Hookline, HooklineOptions } from '../../src/index.ts';
import { type ScriptedModel, type Step, scriptedModel } from './scripted-model.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface AgentScene {
  readonly agent: LivingAgent;
  readonly hookline: Hookline;
  readonly workspace: Workspace;
  readonly script: ScriptedModel;
  readonly events: readonly AgentEvent[];
  /** The inputs with which each tool ran, in order: `echo {"text":"hi"}`. */
  readonly ran: readonly string[];
  /** The kinds that fired, in order. Those of children have their depth: `llm.before@1`. */
  fired(): readonly string[];
  /** The payloads with which a kind fired. */
  payloads(kind: EventKind): readonly Readonly<Record<string, unknown>>[];
}

export interface SceneOptions extends Partial<Omit<AgentOptions, 'hooks' | 'model'>> {
  readonly steps?: readonly Step[];
  readonly model?: AgentOptions['model'];
  readonly files?: Readonly<Record<string, string>>;
  readonly workspace?: Workspace;
  /** A folder of the workspace with skills. */
  readonly skillFolder?: string;
  /** Options of the engine. */
  readonly engine?: HooklineOptions;
  /** Registers hooks before the agent starts. */
  hooks?(hookline: Hookline): void;
}

const ALL: readonly EventKind[] = [
  ...(['gateway.start', 'gateway.stop', 'heartbeat', 'session.start', 'session.end', 'agent.start', 'agent.end'] as const),
  ...(['prompt.submit', 'turn.before', 'turn.after', 'model.resolve', 'prompt.build', 'llm.before', 'llm.after'] as const),
  ...(['tool.before', 'tool.after', 'tool.error', 'permission.request', 'skill.before', 'skill.after'] as const),
  ...(['subagent.before', 'subagent.after', 'conversation.load.before', 'conversation.load.after'] as const),
  ...(['conversation.save.before', 'conversation.save.after', 'compact.before', 'compact.after', 'stop.before'] as const),
  ...(['message.received', 'message.sending', 'message.sent', 'notification', 'cron.delivery', 'docs.sync'] as const),
];

/** Must be called within a test. The agent is stopped when the test is over. */
export async function createScene(options: SceneOptions = {}): Promise<AgentScene> {
  const { steps = [], files, workspace = createWorkspace(files), engine, hooks, skillFolder, ...given } = options;
  const script = scriptedModel(steps);
  const hookline = await workspace.open({ agent: 'tester', ...engine });
  const ran: string[] = [];
  const events: AgentEvent[] = [];
  const seen: { readonly kind: EventKind; readonly data: Readonly<Record<string, unknown>> }[] = [];
  for (const kind of ALL)
    hookline.on(
      kind,
      (event) => {
        seen.push({ kind, data: event.data as never });
      },
      { name: `watch ${kind}`, priority: -1000 },
    );
  hooks?.(hookline);
  const agent = await createAgent({
    ...{ name: 'tester', model: script.model, cwd: workspace.root, tools: testTools(ran), hooks: hookline },
    ...(skillFolder !== undefined && { skills: [workspace.at(skillFolder)] }),
    ...given,
    onEvent(event) {
      events.push(event);
      given.onEvent?.(event);
    },
  });
  onTestFinished(() => agent.stop({ deadlineMs: 1000 }));
  return {
    ...{ agent, hookline, workspace, script, events, ran },
    fired: () => events.flatMap((event) => (event.type === 'hook' ? [`${event.kind}${event.depth > 0 ? `@${event.depth}` : ''}`] : [])),
    payloads: (kind) => seen.filter((one) => one.kind === kind).map(({ data }) => data),
  };
}

/** Two tools: one returns its input, the other throws. */
export function testTools(ran: string[]): ToolSet {
  const inputSchema = jsonSchema<{ text?: string }>({ type: 'object', properties: { text: { type: 'string' } } });
  return {
    echo: {
      description: 'Returns the text.',
      inputSchema,
      async execute(input: { text?: string }) {
        ran.push(`echo ${JSON.stringify(input)}`);
        return `echo: ${input.text}`;
      },
    },
    broken: {
      description: 'Fails.',
      inputSchema,
      async execute(input: { text?: string }) {
        ran.push(`broken ${JSON.stringify(input)}`);
        throw new Error('the tool broke');
      },
    },
  };
}

/** A call of a tool, as a step of a script. */
export function call(tool: string, input: object, id?: string): Step {
  return { calls: [{ tool, input, ...(id !== undefined && { id }) }] };
}
