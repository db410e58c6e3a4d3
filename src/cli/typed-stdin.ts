/** Whether a person types on stdin. What is no device at all is known by its kind: `node:tty` loads every stream that Node has. */
import { fstatSync } from 'node:fs';

export async function isTyped(): Promise<boolean> {
  if (!isDevice()) return false;
  const { isatty } = await import('node:tty');
  return isatty(0);
}

/** What can't be told counts as one, so that it is looked at closely. */
function isDevice(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}
