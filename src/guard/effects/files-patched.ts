/** What the `apply_patch` that agents have in their shells changes: its patch is an argument, or stands on its input. */
import { filesInPatch } from '../patch-headers.ts';
import type { Effective } from '../shell/machine.ts';
import { toolName } from './files-syntax.ts';

export function patched({ name, argv, stdin }: Effective, use: 'write' | 'delete'): readonly string[] {
  if (toolName(name) !== 'apply_patch') return [];
  const files = [...argv.slice(1), stdin].flatMap((text) => filesInPatch(text));
  return files.filter((file) => file.use === use).map(({ path }) => path);
}
