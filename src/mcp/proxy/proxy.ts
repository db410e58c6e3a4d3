/**
 * Stands before a server of MCP: hooks judge every call of a tool, and tools whose definitions are new or have changed are held. Everything else
 * passes unchanged.
 */
import type { Hookline } from '../../api/hookline.ts';
import type { Hash } from '../../core/values/digest.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { createGate } from '../../sdk/kit/gate.ts';
import { createCaller } from './call-tool.ts';
import { createPinnedTools, type PinnedTools } from './pinned-tools.ts';
import type { PinnedServer, Pins } from './pins.ts';
import { type Answer, createRelay, type Relay, type RelayParts, refusal, TOOLS_CHANGED } from './relay.ts';
import { toolNameOf } from './server-name.ts';

export interface ProxyOptions extends Pick<RelayParts, 'toClient' | 'toServer' | 'note' | 'ownName'> {
  readonly hookline: Pick<Hookline, 'fire' | 'settle' | 'waitFor' | 'on'>;
  readonly pins: Pins;
  readonly server: PinnedServer;
  readonly hash: Hash;
  readonly now: () => string;
  readonly session: string;
  readonly cwd: string;
  /** How long the server may take to list its tools. */
  readonly listMs?: number;
}

export type RunningProxy = Pick<Relay, 'fromClient' | 'fromServer' | 'serverGone' | 'clientGone' | 'settled'>;

export function createProxy(options: ProxyOptions): RunningProxy {
  const { hookline, pins, server, hash, now, session, cwd, note, listMs = LIST_MS } = options;
  const tools = createPinnedTools({ pins, server, hash, now });
  const lead = toolNameOf(server.server, '');
  const pinProblem = (tool: string): string | undefined => lister.failed ?? tools.problem(tool);
  // The pins are a hook, so that the log and `why` show a call that they stop.
  hookline.on(
    'tool.before',
    ({ data }) => {
      const problem = pinProblem(data.tool.slice(lead.length));
      return problem === undefined ? undefined : { decision: 'deny', reason: problem };
    },
    { name: 'mcp-pins', priority: FIRST_OF_ALL, required: true },
  );
  const caller = createCaller({ gate: createGate(hookline), server: server.server, context: { session, cwd }, hash, pinProblem });
  const relay: Relay = createRelay({
    ...options,
    async call(judged) {
      await lister.ready(judged.params);
      return caller(judged);
    },
    async list(judged) {
      await lister.ready(judged.params);
      return shownTools(await judged.forward(judged.params), tools);
    },
    toolsChanged: () => lister.forget(),
  });
  const lister = createLister(relay, tools, server, note, listMs);
  // A client does not ask for the tools again by itself, so it is told when a person has changed the pins.
  let isInitialized = false;
  setInterval(() => tools.refresh() && isInitialized && relay.tell(TOOLS_CHANGED), LOOK_MS).unref();
  return {
    ...relay,
    fromClient(line) {
      isInitialized ||= line.includes('notifications/initialized');
      relay.fromClient(line);
    },
  };
}

const LOOK_MS = 1000;

const FIRST_OF_ALL = 1_000_000;
const LIST_MS = 60_000;

function shownTools(answer: Answer, tools: PinnedTools): Answer {
  if (answer.kind !== 'result') return answer;
  const { tools: listed } = answer.result;
  if (!Array.isArray(listed)) return refusal('The server sent a list of tools that is not a list.');
  return { kind: 'result', result: { ...answer.result, tools: tools.shown(listed) } };
}

interface Lister {
  /** Resolves when the tools are known, or it is known why they are not. Never rejects. */
  ready(params: JsonObject): Promise<void>;
  /** The next call reads the tools again. */
  forget(): void;
  /** Why the tools are not known. */
  readonly failed: string | undefined;
}

/** Reads the whole list of tools before the first call and after every change, because a client may call without listing. */
function createLister(
  relay: Pick<Relay, 'ask' | 'tell'>,
  tools: PinnedTools,
  server: PinnedServer,
  note: (text: string) => void,
  listMs: number,
): Lister {
  let reading: Promise<void> | undefined;
  let failed: string | undefined = 'The tools of the MCP server are not known yet.';
  let told = '';
  const read = async (meta: JsonObject): Promise<void> => {
    const found: JsonObject[] = [];
    let cursor: string | undefined;
    for (let page = 1; ; page++) {
      if (page > MOST_PAGES) throw new Error(`it sent more than ${MOST_PAGES} pages.`);
      const answer = await within(relay.ask('tools/list', { ...meta, ...(cursor !== undefined && { cursor }) }), listMs);
      if (answer === undefined) throw new Error(`it did not answer within ${listMs / 1000} s.`);
      if (answer.kind !== 'result') throw new Error(answer.message);
      const { tools: listed, nextCursor } = answer.result;
      if (!Array.isArray(listed)) throw new Error('it sent no list.');
      found.push(...listed.filter(isObject));
      if (typeof nextCursor !== 'string') break;
      cursor = nextCursor;
    }
    report(tools.takeAll(found));
  };
  const report = (pinned: readonly string[]): void => {
    if (pinned.length > 0)
      note(`The first list of tools is pinned: ${pinned.join(', ')}. \`hookline mcp pins show ${server.id}\` shows the definitions.`);
    const waiting = [...tools.waiting().keys()].join(', ');
    if (waiting !== '' && waiting !== told)
      note(`New or changed tools wait for a person: ${waiting}. Look at them with \`hookline mcp pins show ${server.id}\`.`);
    told = waiting;
  };
  return {
    ready(params) {
      const { _meta } = params;
      reading ??= read(isObject(_meta) ? { _meta: withoutProgress(_meta) } : {}).then(
        () => {
          failed = undefined;
        },
        (error: unknown) => {
          // The next call tries again.
          reading = undefined;
          failed = `The MCP server did not list its tools, so none may be called: ${error instanceof Error ? error.message : String(error)}`;
        },
      );
      return reading;
    },
    forget() {
      reading = undefined;
    },
    get failed() {
      return failed;
    },
  };
}

/** A server with more pages would send them without end. */
const MOST_PAGES = 1000;

/** The token belongs to the request of the client. */
function withoutProgress({ progressToken: _, ...meta }: JsonObject): JsonObject {
  return meta;
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
