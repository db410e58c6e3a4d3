/** The facts about an SDK that its adapter depends on. They are data: the contract suite skips a law by them, and docs/sdks.md prints them. */

/** The abilities of an adapter, and the words for them in the documentation. */
export const CAPABILITIES = {
  deny: 'a denied call does not run, and the model gets the reason',
  rewrite: 'a rewritten input is what runs',
  context: 'context of hooks reaches the model',
  replace: 'a replaced result is what the model sees',
  error: '`tool.error` fires',
  abort: 'an aborted run starts no tool',
  halt: 'a halt ends the run',
  hold: 'a held call suspends the run, which resumes in another process',
  siblings: 'a held call does not stop the other calls of its step',
  severalHeld: 'several held calls of one step wait together',
  llmBefore: '`llm.before` can deny a model call',
  llmRetries: '`llm.before` fires once for a call that is retried',
  llmAfter: '`llm.after` can replace an answer',
  stream: 'a stream shows nothing that was replaced',
} as const satisfies Record<string, string>;

export type Capability = keyof typeof CAPABILITIES;

/** `yes`, or why not, or what is missing. */
export type Support = 'yes' | { readonly partly: string } | { readonly no: string };

export interface SdkFacts {
  /** The subpath of its adapter: `hookline/<id>`. */
  readonly id: string;
  readonly title: string;
  /** The package, and the range of versions that the contract was tested with. Null: no package is needed. */
  readonly package: { readonly name: string; readonly versions: string } | null;
  readonly node: string;
  readonly capabilities: Readonly<Record<Capability, Support>>;
}
