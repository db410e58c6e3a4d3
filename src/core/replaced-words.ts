/** What is said of a result that a hook has replaced, where a host can't put the other one in its place. */
import { type Json, serialise } from './json.ts';

/** What the agent is told where nobody can keep from it what a hook has replaced. */
export function inItsPlace(value: Json): string {
  return `A hook replaced what this brought back. Do not use what stands there; take this in its place:\n${shownAs(value)}`;
}

/** As text; never nothing at all, which would say nothing. */
export function shownAs(value: Json): string {
  const text = typeof value === 'string' ? value : serialise(value);
  return text.trim() === '' ? 'A hook removed what this brought back.' : text;
}

export function stillSeen({ title }: { readonly title: string }): string {
  return `A hook replaced what this brought back, and ${title} can't do that here: the agent sees the original.`;
}
