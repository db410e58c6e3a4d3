/** The hash behind digests and the log. */

/** Loaded when something is hashed, which is seldom. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
