/** Reads a file that is itself the hook: a script or a plugin. Its text is the document, and nothing in it is parsed. */
import type { Document } from '../../core/values/document.ts';
import { refuse } from './intake.ts';

export function parseProgram(file: string, text: string): Document {
  return refuse(file, text) ?? { file, root: { kind: 'scalar', at: { line: 1, column: 1 }, value: text }, diagnostics: [] };
}
