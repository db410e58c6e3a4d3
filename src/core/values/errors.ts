/** The one exception of this library: misuse of the API, or a configuration that can't be used at all. All codes stand here. */

export const ERROR_CODES = {
  'bad-option': 'An option of createHookline has a value it can not have.',
  'unknown-event': 'The event is neither a canonical kind nor known to the dialect it was fired as.',
  'unknown-dialect': 'There is no dialect of this name.',
  'bad-payload': 'The payload is not a JSON object.',
  'unknown-ticket': 'There is no held action of this id.',
  'ticket-settled': 'The held action was settled before.',
  'unreadable-source': 'A place where hooks are kept can not be read.',
  'bad-lock': 'The lock of trusted hooks can not be used, or lies in the project it vouches for.',
  'unknown-hook': 'There is no hook of this id.',
  'store-unavailable': 'The place where held actions and the log are kept can not be used.',
  closed: 'The engine was closed.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_CODES;

export class HooklineError extends Error {
  override readonly name = 'HooklineError';
  readonly code: ErrorCode;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}
