/**
 * Finds literals of which at least one occurs in every match of a pattern, so that one pass over a text rules out most patterns. In doubt it
 * returns none, because a wrong literal would hide a hook.
 */
import type { PatternTest } from '../../core/contracts/hook.ts';
import { foldCase } from './case-fold.ts';
import { type Node, parsePattern, type Syntax } from './pattern-syntax.ts';

/** For a case-insensitive pattern, the literals are folded and occur in the folded text. */
export function requiredLiterals({ source, flags }: Pick<PatternTest, 'source' | 'flags'>): readonly string[] | undefined {
  const syntax = parsePattern(source, flags);
  return syntax && literalsOf(syntax);
}

/** The same for a pattern that is parsed already. */
export function literalsOf({ tree, fold }: Syntax): readonly string[] | undefined {
  const literals = needs(factsOf(tree));
  return fold ? literals?.map(foldCase) : literals;
}

interface Facts {
  /** Everything the node can match, if that is a short list. */
  readonly exact?: readonly string[];
  /** One of these is part of every match. */
  readonly some?: readonly string[];
}

const NOTHING: Facts = {};
const MAX_EXACT = 16;
const MAX_LITERALS = 256;

function factsOf(node: Node): Facts {
  switch (node.kind) {
    case 'text':
      return { exact: [node.text] };
    case 'start':
    case 'end':
      return { exact: [''] };
    case 'repeat':
      return node.min > 0 ? some(needs(factsOf(node.node))) : NOTHING;
    case 'either':
      return ofEither(node.branches.map(factsOf));
    case 'sequence':
      return ofSequence(node.parts.map(factsOf));
    default:
      return NOTHING;
  }
}

function ofEither(branches: readonly Facts[]): Facts {
  const exact = branches.flatMap((branch) => branch.exact ?? []);
  if (exact.length <= MAX_EXACT && branches.every((branch) => branch.exact !== undefined)) return { exact };
  const each = branches.map(needs);
  const all = each.flatMap((literals) => literals ?? []);
  return all.length <= MAX_LITERALS && each.every((literals) => literals !== undefined) ? { some: all } : NOTHING;
}

/** Adjacent exact parts form longer literals. The best of the runs between inexact parts counts. */
function ofSequence(parts: readonly Facts[]): Facts {
  let run: readonly string[] = [''];
  let best: readonly string[] | undefined;
  let whole = true;
  for (const part of parts) {
    const { exact } = part;
    if (exact !== undefined && run.length * exact.length <= MAX_EXACT) {
      run = run.flatMap((left) => exact.map((right) => left + right));
      continue;
    }
    whole = false;
    best = better(best, needs({ exact: run }));
    if (exact === undefined) best = better(best, part.some);
    run = exact ?? [''];
  }
  return whole ? { exact: run } : some(better(best, needs({ exact: run })));
}

function needs({ exact, some }: Facts): readonly string[] | undefined {
  if (some !== undefined) return some;
  return exact !== undefined && exact.length > 0 && exact.every((text) => text !== '') ? exact : undefined;
}

function some(literals: readonly string[] | undefined): Facts {
  return literals === undefined ? NOTHING : { some: literals };
}

/** The longer the shortest literal, the rarer a false match. */
function better(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return shortest(b) > shortest(a) ? b : a;
}

function shortest(literals: readonly string[]): number {
  return Math.min(...literals.map((literal) => literal.length));
}
