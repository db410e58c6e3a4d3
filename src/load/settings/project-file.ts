/** The file of a project's settings, apart from its reader, because most projects have none. */
import { join } from 'node:path';

export function projectSettingsFile(root: string): string {
  return join(root, '.hookline', 'settings.json');
}
