/** Keeps the tokens of a model out of the streams of a run until the hooks have seen the whole answer. */
import { RunnableLambda } from '@langchain/core/runnables';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';

/** LangGraph shows nothing of a model call with this tag in `streamMode: 'messages'`. */
const HIDDEN = ['nostream'];

interface Tagged {
  addTags(tags: readonly string[]): void;
  removeTags(tags: readonly string[]): void;
}

/** The handlers of this node of the graph, which the model call inherits. */
export async function hidden<T>({ callbacks }: LangGraphRunnableConfig, call: () => Promise<T>): Promise<T> {
  if (!isTagged(callbacks)) return call();
  callbacks.addTags(HIDDEN);
  try {
    return await call();
  } finally {
    callbacks.removeTags(HIDDEN);
  }
}

/** Puts a whole message into `streamMode: 'messages'`: LangGraph streams the message that a step with the name of the node returns. */
export async function show<T>(message: T, { metadata }: LangGraphRunnableConfig): Promise<T> {
  const node = metadata?.['langgraph_node'];
  if (typeof node === 'string')
    await RunnableLambda.from(() => message)
      .withConfig({ runName: node })
      .invoke({});
  return message;
}

function isTagged(callbacks: unknown): callbacks is Tagged {
  return typeof callbacks === 'object' && callbacks !== null && 'addTags' in callbacks && 'removeTags' in callbacks;
}
