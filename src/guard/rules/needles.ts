/**
 * The path classes that can apply to a path, by the texts that their globs need. Most paths have none of these texts, and then no glob is
 * compiled.
 */
import { lazily } from '../lazily.ts';
import { pathNeedles } from './compiled.ts';

interface Needle {
  readonly text: string;
  readonly classes: readonly string[];
}

const NONE: readonly string[] = [];
/** By the first characters, so that each position of a path is looked up once. No needle is shorter. */
const START = 3;
const needles = lazily(() => {
  const byStart = new Map<number, Needle[]>();
  for (const [text, classes] of Object.entries(pathNeedles())) {
    const start = startAt(text, 0);
    const known = byStart.get(start);
    if (known === undefined) byStart.set(start, [{ text, classes }]);
    else known.push({ text, classes });
  }
  return byStart;
});

/** Returns the classes whose globs can match a path in lower case. A class can be there twice. */
export function classesNeeding(path: string): readonly string[] {
  const byStart = needles();
  let found = NONE;
  for (let at = 0; at <= path.length - START; at++) {
    const here = byStart.get(startAt(path, at));
    if (here !== undefined) for (const { text, classes } of here) if (path.startsWith(text, at)) found = [...found, ...classes];
  }
  return found;
}

function startAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 0x100 + text.charCodeAt(at + 1)) * 0x100 + text.charCodeAt(at + 2);
}
