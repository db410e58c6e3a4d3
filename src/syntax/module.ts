/** Parses the program of a hook as an ES module, as TypeScript or as JavaScript. Nothing of it runs. */
import { type ParserOptions, parse } from '@babel/parser';
import type { Position } from '../core/values/diagnostic.ts';

/** A node of the syntax tree. The parser has a type for each; here a node is what all of them share. */
export interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [key: string]: unknown;
}

export interface SyntaxProblem {
  readonly at: Position;
  readonly message: string;
  readonly hint: string;
}

export interface ParsedModule {
  readonly text: string;
  readonly isTyped: boolean;
  readonly body: readonly Syntax[];
}

/** Returns the module, or the first problem with its syntax. */
export function parseModule(file: string, text: string): ParsedModule | SyntaxProblem {
  const isTyped = file.endsWith('ts');
  try {
    const { program } = parse(text, { ...OPTIONS, plugins: isTyped ? ['typescript'] : [] });
    return { text, isTyped, body: program.body as unknown as readonly Syntax[] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      at: positionIn(error),
      message: messageOf(error),
      hint: 'Correct the syntax. Only TypeScript whose types can be erased is read.',
    };
  }
}

/** Brackets are nodes of their own, so that the text between an expression and its type has nothing else in it. */
const OPTIONS: ParserOptions = { sourceType: 'module', createParenthesizedExpressions: true, attachComment: false };

function positionIn(error: SyntaxError): Position {
  const { line, column } = (error as SyntaxError & { readonly loc?: { readonly line: number; readonly column: number } }).loc ?? {
    line: 1,
    column: 0,
  };
  return { line, column: column + 1 };
}

/** The parser ends its message with the position, which is reported apart. */
function messageOf({ message }: SyntaxError): string {
  return `This is not valid syntax: ${message.replace(/ \(\d+:\d+\)$/, '')}`;
}

export function positionOf({ loc: { start } }: Syntax): Position {
  return { line: start.line, column: start.column + 1 };
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value;
}

/** Returns the nodes directly below a node, in the order of their properties. */
export function childrenOf(node: Syntax): readonly Syntax[] {
  const found: Syntax[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || key === 'extra') continue;
    if (Array.isArray(value)) for (const item of value) isSyntax(item) && found.push(item);
    else if (isSyntax(value)) found.push(value);
  }
  return found;
}
