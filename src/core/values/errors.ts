/** The only exception that this library throws, for misuse of the API or an unusable configuration, with all of its codes. */

export const ERROR_CODES = {
  'bad-option': 'An option of createHookline has an invalid value.',
  'unknown-event': 'The event is neither a canonical kind nor an event of the given dialect.',
  'unknown-dialect': 'No dialect has this name.',
  'bad-payload': 'The payload is not a JSON object.',
  'unknown-ticket': 'No held action has this id.',
  'unknown-grant': 'No grant has this id, or it was revoked before.',
  'ticket-settled': 'The held action is already settled.',
  'hooks-missing': 'The held action cannot go on in this process, because hooks of it are not loaded here.',
  'unreadable-source': 'A file or folder that contains hooks cannot be read.',
  'bad-lock': 'The lock file of trusted hooks cannot be used, or is inside the project it vouches for.',
  'bad-installation': 'A file of Hookline itself, or the record that an installed entry leads to, cannot be used.',
  'unknown-hook': 'No hook has this id.',
  'store-unavailable': 'The store for held actions and the log cannot be used.',
  'unknown-model': 'The name of a model is not `provider:model`, or no provider has this name.',
  'model-unavailable': 'A model cannot be opened, because a package or its key is missing.',
  closed: 'The engine was closed.',
  'agent-denied': 'A hook denied the start of the agent, or a person must decide on it first.',
  'nothing-parked': 'The session has no turn that waits for a person.',
  unguarded: 'An SDK ran an agent past the hooks, so the agent runs no more.',
  'bad-conversation': 'A stored conversation cannot be used.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_CODES;

export class HooklineError extends Error {
  override readonly name = 'HooklineError';
  readonly code: ErrorCode;
  /** How to fix it. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}
