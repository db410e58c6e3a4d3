/** Exit codes of every command. 2 means "blocked" and nothing else: a host that reads it must be able to rely on it. */
export const EXIT = {
  /** May proceed; done. */
  ok: 0,
  /** A negative answer: findings, not found, refused. */
  negative: 1,
  /** The action is denied. Only `fire`, and `guard` as a hook, say this. */
  blocked: 2,
  /** The action is held until a person settles it. */
  held: 3,
  usage: 64,
  bug: 70,
  config: 78,
} as const satisfies Record<string, number>;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
