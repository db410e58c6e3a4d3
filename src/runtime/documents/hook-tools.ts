/** `file_write` and `hook_reload`: the tools with which an agent writes hooks of its own. Only a person can make such a hook run. */
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolSet } from 'ai';
import type { Hookline } from '../../api/hookline.ts';
import type { AiSdk } from '../scene.ts';

const NOT_TRUSTED =
  'If this file belongs to a hook, call `hook_reload` next. A hook in the project runs only after a person has trusted this version of it with `hookline trust add`.';

/** @param root the folder below which files are written */
export async function hookTools(hookline: Pick<Hookline, 'reloadTool'>, root: string): Promise<ToolSet> {
  return hookToolsWith(await import('ai'), hookline, root);
}

export function hookToolsWith(
  { jsonSchema }: Pick<AiSdk, 'jsonSchema'>,
  { reloadTool }: Pick<Hookline, 'reloadTool'>,
  root: string,
): ToolSet {
  const text = (description: string) => ({ type: 'string', description }) as const;
  return {
    file_write: {
      description: 'Writes a text file below the workspace, and the folders that it needs. An existing file is replaced.',
      inputSchema: jsonSchema<{ path: string; content: string }>({
        type: 'object',
        properties: { path: text('The path, as seen from the workspace.'), content: text('The whole text of the file.') },
        required: ['path', 'content'],
        additionalProperties: false,
      }),
      execute: async ({ path: file, content }: { path: string; content: string }) => writeBelow(root, file, content),
    },
    [reloadTool.name]: {
      description: reloadTool.description,
      inputSchema: jsonSchema(reloadTool.inputSchema as never),
      execute: async () => (await reloadTool.execute()).message,
    },
  };
}

/** Replaces the file in one step, so that no one reads half of it. A link cannot lead the write out of the folder. */
function writeBelow(root: string, given: string, content: string): string {
  const file = path.resolve(root, given);
  const base = realpathSync(root);
  if (!isInside(path.resolve(root), file)) throw new Error(`${given} is not below the workspace, so it was not written.`);
  const folder = realFolder(path.dirname(file));
  if (folder !== base && !isInside(base, folder)) throw new Error(`A link leads ${given} out of the workspace, so it was not written.`);
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  try {
    writeFileSync(draft, content, { flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return `Wrote ${path.relative(root, file)}. ${NOT_TRUSTED}`;
}

/** The real place of the folder, or of the nearest one above it that exists. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return realFolder(path.dirname(folder));
  }
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
