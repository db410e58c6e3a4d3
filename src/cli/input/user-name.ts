/** The name of the user who runs this command, for records of who decided. */
import { userInfo } from 'node:os';

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Some containers have users without an entry in the system's table.
    return process.env['USER'] || process.env['LOGNAME'] || 'unknown';
  }
}
