/** The context in which the loader of a format reads one file. */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Document } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';

export interface Reading {
  readonly file: string;
  readonly context: LoadContext;
  readonly problems: Problems;
}

export function readingOf({ file }: Document, context: LoadContext): Reading {
  return { file, context, problems: problemsIn(file) };
}
