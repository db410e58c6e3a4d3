/**
 * The imports of a module. Trust covers the files that a hook imports, and the audit finds them by their text. So an import of a file must be
 * written plainly: an import that the audit could miss is a problem.
 */
import { childrenOf, isSyntax, type ParsedModule, positionOf, type Syntax, type SyntaxProblem } from './module.ts';

export interface ModuleImports {
  /** Relative paths of other files, as they are written. */
  readonly files: readonly string[];
  readonly problems: readonly SyntaxProblem[];
}

export function importsOf({ text, body }: ParsedModule): ModuleImports {
  const files = new Set<string>();
  const problems: SyntaxProblem[] = [];
  const take = (source: Syntax): void => {
    const name = source['value'] as string;
    if (PACKAGE.test(name)) return;
    if (isPlainPath(text, source, name)) files.add(name);
    else problems.push({ at: positionOf(source), message: NOT_PLAIN, hint: HINT });
  };
  const visit = (node: Syntax): void => {
    const { source } = node;
    if (/^(?:Import|Export)\w*Declaration$/.test(node.type) && isSyntax(source) && !isOfTypes(node)) take(source);
    const [first] = node.type === 'CallExpression' && isImport(node['callee']) ? (node['arguments'] as readonly Syntax[]) : [];
    if (first?.type === 'StringLiteral') take(first);
    else if (first) problems.push({ at: positionOf(first), message: NOT_PLAIN, hint: HINT });
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of body) visit(node);
  return { files: [...files], problems };
}

const NOT_PLAIN = 'This import could not be found by the audit, so trust would not cover it.';
const HINT = "Write `import … from './name.ts'`, with a relative path and without escapes.";

/** A module of Node, or a package that Node finds from the folder of the hook. */
const PACKAGE = /^(?:node:[\w/]+|(?:@[\w.-]+\/)?\w[\w./-]*)$/;

function isPlainPath(text: string, { start, end }: Syntax, name: string): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  return (
    /^\.{1,2}\/[^"'`\n]{1,500}$/.test(name) &&
    text.slice(start + 1, end - 1) === name &&
    /(?:\bfrom|\bimport)\s{0,8}\(?\s{0,8}$/.test(before)
  );
}

function isOfTypes({ importKind, exportKind }: Syntax): boolean {
  return importKind === 'type' || exportKind === 'type';
}

function isImport(callee: unknown): boolean {
  return isSyntax(callee) && callee.type === 'Import';
}
