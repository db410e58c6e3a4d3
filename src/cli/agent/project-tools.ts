/** The tools of `hookline agent`: read and write files of the project, and run commands in it. Every call asks the hooks first. */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolSet } from 'ai';
import { runCommand } from './run-command.ts';

/** The function of the AI SDK that describes an input. */
export type JsonSchema = typeof import('ai')['jsonSchema'];

const MOST_CHARACTERS = 50_000;

/** Their names and inputs are those that hooks of most formats expect. */
export function projectTools(root: string, jsonSchema: JsonSchema): ToolSet {
  const texts = (properties: Readonly<Record<string, string>>) =>
    jsonSchema<Readonly<Record<string, string>>>({
      type: 'object',
      properties: Object.fromEntries(Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }])),
      required: Object.keys(properties),
      additionalProperties: false,
    });
  return {
    Read: {
      description: 'Returns the text of a file of the project.',
      inputSchema: texts({ file_path: 'The file, relative to the folder of the project.' }),
      execute: ({ file_path = '' }: Readonly<Record<string, string>>) => shortened(readFileSync(inProject(root, file_path), 'utf8')),
    },
    Write: {
      description: 'Writes a file of the project. A file that exists is replaced, and folders are created.',
      inputSchema: texts({ file_path: 'The file, relative to the folder of the project.', content: 'All of its text.' }),
      execute({ file_path = '', content = '' }: Readonly<Record<string, string>>) {
        const file = inProject(root, file_path);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content);
        return `Wrote ${Buffer.byteLength(content)} bytes to ${path.relative(root, file)}.`;
      },
    },
    Bash: {
      description: 'Runs a command line in the folder of the project, without a terminal, and returns its output and exit code.',
      inputSchema: texts({ command: 'The command line.' }),
      execute: async ({ command = '' }: Readonly<Record<string, string>>, { abortSignal }: { readonly abortSignal?: AbortSignal }) => {
        const { output, end } = await runCommand(command, root, abortSignal);
        return [shortened(output.trimEnd()), end].filter((text) => text !== '').join('\n');
      },
    },
  };
}

/** Returns the real path of a file, or throws if it is outside of the project, also by a link. */
function inProject(root: string, file: string): string {
  const folder = realpathSync(root);
  const real = realPath(path.resolve(folder, file));
  const relative = path.relative(folder, real);
  if (relative !== '' && !relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative)) return real;
  throw new Error(`${file} is not a file of the project ${folder}.`);
}

/** Follows links of the part of a path that exists, and links to files that do not. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const parent = path.dirname(file);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === file) throw error;
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return realPath(path.resolve(parent, readlinkSync(file)));
    return path.join(realPath(parent), path.basename(file));
  }
}

/** Keeps the beginning and the end, where the message is. */
function shortened(text: string): string {
  const over = text.length - MOST_CHARACTERS;
  if (over <= 0) return text;
  const half = MOST_CHARACTERS / 2;
  return `${text.slice(0, half)}\n(${over} characters are left out.)\n${text.slice(-half)}`;
}
