/**
 * Evaluates `$(( … ))` if every part is known: whole numbers, variables that hold one, and the plain operators. A calculation expands subscripts in the
 * values of variables, so they can have code.
 */
import type { ArithmeticExpression } from 'unbash';
import type { Scope } from '../scope.ts';

const MOST_DEPTH = 32;

/** Returns the code in a subscript: `a[$(code)]`. */
export function subscriptCode(word: string): readonly string[] {
  return Array.from(word.matchAll(/[A-Za-z_]\w*\[[^\]$`]*(?:\$\(([\s\S]+?)\)|`([^`]+)`)[^\]]*\]/g), (match) => match[1] ?? match[2] ?? '');
}

/** Returns the code in subscripts of the values of the variables that a calculation names. */
export function codeInNames(text: string, scope: Scope): readonly string[] {
  return Array.from(text.slice(0, MOST_TEXT).matchAll(/[A-Za-z_]\w*/g)).flatMap(([name]) =>
    (scope.get(name) ?? []).flatMap(([value = '']) => (value.includes('[') ? subscriptCode(value) : [])),
  );
}

const MOST_TEXT = 400;

/** Returns the words of a calculation as one text. */
export function namesIn(node: ArithmeticExpression | undefined, depth = 0): string {
  if (node === undefined || depth > MOST_DEPTH) return '';
  const parts: unknown[] = Object.values(node);
  return parts
    .map((part) => (typeof part === 'string' ? part : isExpression(part) ? namesIn(part, depth + 1) : ''))
    .join(' ')
    .slice(0, MOST_TEXT);
}

function isExpression(part: unknown): part is ArithmeticExpression {
  return typeof part === 'object' && part !== null && 'type' in part;
}

/** Returns the value as text. Undefined: the value is unknown. */
export function calculate(expression: ArithmeticExpression | undefined, scope: Scope): string | undefined {
  const value = expression === undefined ? undefined : resultOf(expression, scope, 0);
  return value === undefined || !Number.isSafeInteger(value) ? undefined : String(value);
}

function resultOf(node: ArithmeticExpression, scope: Scope, depth: number): number | undefined {
  if (depth > MOST_DEPTH) return undefined;
  switch (node.type) {
    case 'ArithmeticWord':
      return wordValue(node.value, scope);
    case 'ArithmeticGroup':
      return resultOf(node.expression, scope, depth + 1);
    case 'ArithmeticUnary': {
      const value = resultOf(node.operand, scope, depth + 1);
      return value === undefined ? undefined : node.operator === '-' ? -value : node.operator === '+' ? value : undefined;
    }
    case 'ArithmeticBinary': {
      const [left, right] = [resultOf(node.left, scope, depth + 1), resultOf(node.right, scope, depth + 1)];
      return left === undefined || right === undefined ? undefined : combine(node.operator, left, right);
    }
    default:
      return undefined;
  }
}

function wordValue(text: string, scope: Scope): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number.parseInt(text, text.startsWith('0') ? 8 : 10);
  const values = /^\$?[A-Za-z_]\w*$/.test(text) ? scope.get(text.replace('$', '')) : undefined;
  const only = values?.length === 1 ? values[0]?.[0] : undefined;
  return only !== undefined && /^-?\d{1,15}$/.test(only) ? Number(only) : undefined;
}

function combine(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right);
    case '%':
      return right === 0 ? undefined : left % right;
    default:
      return undefined;
  }
}
