/**
 * Erases the types of a module: every character of a type becomes a space, so that all other code keeps its line and its column. Syntax that has
 * an effect when it runs, such as an `enum`, cannot be erased and is a problem.
 */
import { childrenOf, isSyntax, type ParsedModule, positionOf, type Syntax, type SyntaxProblem } from './module.ts';

/** Returns the JavaScript, or every part that cannot be erased. */
export function eraseTypes({ text, isTyped, body }: ParsedModule): string | readonly SyntaxProblem[] {
  if (!isTyped) return text;
  const eraser = new Eraser(text);
  for (const node of body) eraser.visit(node, undefined);
  return eraser.problems.length > 0 ? eraser.problems : eraser.result();
}

/** Syntax that is more than a type, and the advice to its author. */
const NOT_ERASABLE: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  TSEnumDeclaration: [
    'An `enum` is code, not a type, so it cannot be erased.',
    "Write a union of texts, such as `'a' | 'b'`, or a constant object.",
  ],
  TSModuleDeclaration: [
    'A `namespace` is code, not a type, so it cannot be erased.',
    'Write its members at the top level, or in a module of their own.',
  ],
  TSParameterProperty: [
    'A parameter property assigns a field, so it cannot be erased.',
    'Declare the field, and assign it in the constructor.',
  ],
  TSExportAssignment: ['`export =` is not part of an ES module.', 'Write `export default`.'],
  TSImportEqualsDeclaration: ['`import … = require` is not part of an ES module.', 'Write `import … from`.'],
  TSNamespaceExportDeclaration: ['`export as namespace` is not part of an ES module.', 'Remove it.'],
  TSTypeAssertion: ['A type in angle brackets before a value cannot be erased.', 'Write `value as Type`.'],
};

const ONE_LINE = [
  'JavaScript permits no line break here once the type is erased.',
  'Write the type on one line, or give it a name.',
] as const;

const CLASSES = new Set(['ClassDeclaration', 'ClassExpression']);
const MEMBERS = new Set(['ClassProperty', 'ClassPrivateProperty', 'ClassMethod', 'ClassPrivateMethod', 'ClassAccessorProperty']);
const STATEMENTS = new Set([
  ...['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSDeclareFunction', 'TSDeclareMethod', 'TSIndexSignature'],
  'TSImportEqualsDeclaration',
]);
const WRAPPERS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSInstantiationExpression']);
const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;
/** Statements that may end without a semicolon. */
const ENDING = new Set(['ExpressionStatement', 'VariableDeclaration', 'ReturnStatement', 'ThrowStatement', 'ExportDefaultDeclaration']);
const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement']);

class Eraser {
  readonly problems: SyntaxProblem[] = [];
  readonly #text: string;
  readonly #out: string[];

  constructor(text: string) {
    this.#text = text;
    this.#out = text.split('');
  }

  result(): string {
    return this.#out.join('');
  }

  visit(node: Syntax, parent: Syntax | undefined): void {
    const { type } = node;
    const refused = node['declare'] === true || node['importKind'] === 'type' ? undefined : NOT_ERASABLE[type];
    if (refused) this.#refuse(node, ...refused);
    else if (isTypeStatement(node)) this.#eraseStatement(node);
    else if (isTypeSpecifier(node) || isReceiver(node)) this.#eraseWithComma(node);
    else if (type.startsWith('TS') && !WRAPPERS.has(type)) this.#erase(node.start, node.end);
    else this.#visitCode(node, parent);
  }

  #visitCode(node: Syntax, parent: Syntax | undefined): void {
    const { type } = node;
    for (const child of childrenOf(node)) this.visit(child, node);
    if (WRAPPERS.has(type)) this.#erase((node['expression'] as Syntax).end, node.end);
    else if (MEMBERS.has(type)) this.#eraseInMember(node);
    else if (CLASSES.has(type)) this.#eraseHeritage(node);
    else if (type === 'ArrowFunctionExpression') this.#keepOnOneLine(node);
    else if (type === 'Identifier' && node['optional'] === true) this.#eraseMark('?', node.start + String(node['name']).length, node.end);
    else if (type === 'VariableDeclarator' && node['definite'] === true) this.#eraseMark('!', node.start, (node['id'] as Syntax).end);
    if (MEMBERS.has(type) || (ENDING.has(type) && !LOOPS.has(parent?.type ?? ''))) this.#endStatement(node);
  }

  #refuse(node: Syntax, message: string, hint: string): void {
    this.problems.push({ at: positionOf(node), message, hint });
  }

  #erase(start: number, end: number): void {
    for (let at = start; at < end; at++) if (!/[\r\n\u2028\u2029]/.test(this.#text[at] ?? '')) this.#out[at] = ' ';
  }

  /** A semicolon takes its place, or the next line could continue the line before it. */
  #eraseStatement(node: Syntax): void {
    this.#erase(node.start, node.end);
    this.#out[node.start] = ';';
  }

  #eraseWithComma({ start, end }: Syntax): void {
    this.#erase(start, end);
    const next = this.#skipSpace(end);
    if (this.#text[next] === ',') this.#out[next] = ' ';
  }

  #eraseMark(mark: '?' | '!', start: number, end: number): void {
    for (let at = this.#skipSpace(start); at < end; at = this.#skipSpace(at + 1)) {
      if (this.#text[at] !== mark) continue;
      this.#out[at] = ' ';
      return;
    }
  }

  #eraseInMember(node: Syntax): void {
    const key = node['key'] as Syntax;
    const head = this.#text.slice(node.start, key.start).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
    for (const { index, 0: word } of head.matchAll(MODIFIERS)) {
      this.#erase(node.start + index, node.start + index + word.length);
      // Otherwise a name in brackets or a `*` could continue the line before.
      if (index === 0) this.#out[node.start] = ';';
    }
    if (node['optional'] === true) this.#eraseMark('?', key.end, node.end);
    if (node['definite'] === true) this.#eraseMark('!', key.end, node.end);
  }

  /** `abstract` before a class, and everything from `implements` to its body. */
  #eraseHeritage(node: Syntax): void {
    if (node['abstract'] === true) this.#erase(node.start, node.start + 'abstract'.length);
    const clauses = node['implements'];
    if (!Array.isArray(clauses) || clauses.length === 0) return;
    const before = ['id', 'typeParameters', 'superClass', 'superTypeParameters'].map((key) => node[key]).filter(isSyntax);
    const keyword = this.#text.indexOf('class', node.start) + 'class'.length;
    this.#erase(Math.max(keyword, ...before.map(({ end }) => end)), (node['body'] as Syntax).start);
  }

  /** JavaScript permits no line break before `=>`, so the bracket before a long type moves to its end. */
  #keepOnOneLine(node: Syntax): void {
    const [generics, result] = [node['typeParameters'], node['returnType']];
    if (node['async'] === true && isSyntax(generics) && this.#isLong(generics)) this.#refuse(generics, ...ONE_LINE);
    if (!isSyntax(result) || !this.#isLong(result)) return;
    const close = result.start - 1 - (/\s*$/.exec(this.#text.slice(0, result.start))?.[0].length ?? 0);
    if (this.#text[close] === ')') {
      this.#out[close] = ' ';
      this.#out[result.end - 1] = ')';
    } else this.#refuse(result, ...ONE_LINE);
  }

  #isLong({ start, end }: Syntax): boolean {
    return /[\r\n\u2028\u2029]/.test(this.#text.slice(start, end));
  }

  #endStatement({ end }: Syntax): void {
    if (this.#out[end - 1] === ' ' && this.#text[end - 1] !== ' ') this.#out[end - 1] = ';';
  }

  /** Returns the next place that is neither space nor comment. */
  #skipSpace(from: number): number {
    SPACE.lastIndex = from;
    return from + (SPACE.exec(this.#text)?.[0].length ?? 0);
  }
}

const SPACE = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/y;

function isTypeStatement(node: Syntax): boolean {
  const { type, declaration } = node;
  if (STATEMENTS.has(type) || node['declare'] === true || (node['abstract'] === true && MEMBERS.has(type))) return true;
  if (type === 'ImportDeclaration') return node['importKind'] === 'type';
  if (!type.startsWith('Export')) return false;
  return !isTypeSpecifier(node) && (node['exportKind'] === 'type' || (isSyntax(declaration) && isTypeStatement(declaration)));
}

function isTypeSpecifier({ type, importKind, exportKind }: Syntax): boolean {
  return (type === 'ImportSpecifier' && importKind === 'type') || (type === 'ExportSpecifier' && exportKind === 'type');
}

/** The type of `this` is written as a first parameter. */
function isReceiver({ type, name, typeAnnotation }: Syntax): boolean {
  return type === 'Identifier' && name === 'this' && isSyntax(typeAnnotation);
}
