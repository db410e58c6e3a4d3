/** Who may write to what decides about protection: a file that everybody may change protects from nobody. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';

export function openToAll(files: readonly string[]): readonly Diagnostic[] {
  // Windows has no such bits, and says that everybody may do everything.
  if (process.platform === 'win32') return [];
  const paths = new Set(files.flatMap((file) => [file, dirname(file)]));
  return [...paths].filter(isOpen).map((file) => ({
    severity: 'error',
    code: 'open-to-all',
    file,
    message: 'Everybody on this machine may change this, and so decide what hooks say.',
    hint: `Take the right away: \`chmod o-w\`.`,
  }));
}

/** In a folder with the sticky bit nobody can replace what is somebody else's. */
function isOpen(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & 0o002) !== 0 && (stat.mode & 0o1000) === 0;
}
