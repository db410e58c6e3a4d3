/** Types become spaces. All other code keeps its place and its meaning, and syntax that is code is refused with its position. */
import { describe, expect, test } from 'vitest';
import { eraseTypes } from '../../../src/syntax/erase-types.ts';
import { importsOf } from '../../../src/syntax/imports.ts';
import { parseModule } from '../../../src/syntax/module.ts';

function erased(text: string): string {
  const parsed = parseModule('hook.ts', text);
  if ('hint' in parsed) throw new Error(parsed.message);
  const code = eraseTypes(parsed);
  if (typeof code !== 'string') throw new Error(code.map(({ message }) => message).join('\n'));
  return code;
}

function refused(text: string): string[] {
  const parsed = parseModule('hook.ts', text);
  if ('hint' in parsed) return [`${parsed.at.line}:${parsed.at.column}`];
  const code = eraseTypes(parsed);
  return typeof code === 'string' ? [] : code.map(({ at }) => `${at.line}:${at.column}`);
}

/** The value that a program exports, once its types are erased. */
function meaningOf(text: string): unknown {
  const code = erased(text);
  expect(code.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length));
  // A function body has everything but imports and exports, which these programs end with.
  return new Function(code.replace(/export default /, 'return '))();
}

describe('a program without its types means the same', () => {
  test.each([
    [
      'annotations',
      'let a: number = 1; function f(b: number, c?: string, ...d: string[]): number { return b; }\nexport default f(a) + 1;',
      2,
    ],
    ['a name that may be missing', 'const f = (a?: number, b? : number) => a ?? 7;\nexport default f();', 7],
    ['as, satisfies and !', 'const a = { b: 1 } as { b?: number } satisfies object;\nexport default (a.b! as number) + 1;', 2],
    ['as in brackets', 'export default ((1 as unknown) as number) + 2;', 3],
    ['generics', 'function f<T extends object = {}>(a: T): T { return a; }\nexport default f<{ a: 1 }>({ a: 1 }).a;', 1],
    ['a generic arrow function', 'const f = <T,>(a: T): T => a;\nexport default f<number>(3);', 3],
    [
      'interfaces and aliases between statements',
      'const a = 1\ninterface B { c: string }\ntype D = B[]\n;[2].length\nexport default a;',
      1,
    ],
    ['a statement that the next line could continue', 'let a = 1 as number\n;(2)\nlet b: number\n[3].length\nexport default a;', 1],
    [
      'overloads',
      'function f(a: string): string;\nfunction f(a: number): number;\nfunction f(a: any) { return a; }\nexport default f(4);',
      4,
    ],
    ['the type of this', 'function f(this: { a: number }, b: number) { return this.a + b; }\nexport default f.call({ a: 1 }, 2);', 3],
    [
      'classes',
      `abstract class A<T> implements Iterable<T> {
  private readonly a: number = 1;
  protected static b?: number;
  declare c: string;
  d!: number;
  [key: string]: unknown;
  abstract e(): void;
  public async *[Symbol.asyncIterator]() {}
  *[Symbol.iterator](): Iterator<T> {}
  protected get f(): number { return this.a; }
  g?(): void;
}
class B extends A<string> { override e() {} }
export default new B().f;`,
      1,
    ],
    ['a long type before an arrow', 'const f = (a: number): {\n  b: number;\n} => ({ b: a });\nexport default f(5).b;', 5],
    ['declarations', 'declare const a: number;\ndeclare module "x" {}\ndeclare enum C { d }\nexport default 1;', 1],
    ['optional calls and chains keep their marks', 'const a: { b?: () => number } = { b: () => 6 };\nexport default a?.b?.() ?? 0;', 6],
    ['a question mark in a value', 'const a = (b?: boolean): number => (b ? 1 : 2);\nexport default a(true);', 1],
    ['a catch with a type', 'let a = 0;\ntry { throw 1 } catch (error: unknown) { a = error as number }\nexport default a;', 1],
    ['a loop with a type', 'let sum = 0;\nfor (const a of [1, 2] as number[]) sum += a;\nexport default sum;', 3],
  ])('%s', (_, text, value) => {
    expect(meaningOf(text)).toBe(value);
  });
});

test('imports and exports of types are gone, and the others stay', () => {
  const text =
    "import type { A } from 'a';\nimport { type B, c, type D } from 'b';\nexport type { A };\nexport { type B, c };\nexport interface E {}\n";
  expect(erased(text).replace(/\s+/g, ' ').trim()).toBe("; import { c, } from 'b'; ; export { c }; ;");
});

describe('syntax that is code is refused, with its position', () => {
  test.each([
    ['enum A { b }', '1:1'],
    ['const enum A { b }', '1:1'],
    ['\n  namespace A { export const b = 1 }', '2:3'],
    ['class A { constructor(private b: string) {} }', '1:23'],
    ['const a = <string>b;', '1:11'],
    ['import a = require("a");', '1:1'],
    ['export = 1;', '1:1'],
    ['const a = ;', '1:11'],
  ])('%s', (text, at) => {
    expect(refused(text)).toEqual([at]);
  });
});

test('an import that the audit could miss is refused', () => {
  const problems = (text: string) => {
    const parsed = parseModule('hook.ts', text);
    return 'hint' in parsed ? ['syntax'] : importsOf(parsed).problems.map(({ at }) => `${at.line}:${at.column}`);
  };
  expect(problems("import a from './a.ts';\nimport b from 'node:fs';\nimport c from '@d/e';\nawait import('./f.ts');")).toEqual([]);
  expect(problems("import a from './\\u0061.ts';")).toEqual(['1:15']);
  expect(problems("import a from /* here */ './a.ts';")).toEqual(['1:26']);
  expect(problems("import '/etc/a.js';")).toEqual(['1:8']);
  expect(problems("import 'data:text/javascript,1';")).toEqual(['1:8']);
  expect(problems("import 'file:///a.js';")).toEqual(['1:8']);
});
