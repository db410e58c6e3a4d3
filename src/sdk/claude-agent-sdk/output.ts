/**
 * Results of tools in the shapes that Claude Code expects. It ignores a replacement of another shape and shows the model the original, so a shape
 * that is not known here is never sent.
 */
import { isObject, type Json } from '../../core/values/json.ts';

/** Returns the result as hooks see it: of a tool that returns texts alone, the text. */
export function shownOutput(response: unknown): unknown {
  return isTexts(response) ? response.map(({ text }) => text).join('\n') : response;
}

/** Returns the replacement in the shape of the original, or undefined if the shape is not known. */
export function replacedOutput(tool: string, response: unknown, replacement: unknown): { readonly output: unknown } | undefined {
  if (isAlike(response, replacement)) return { output: replacement };
  const text = typeof replacement === 'string' ? replacement : JSON.stringify(replacement);
  if (typeof response === 'string') return { output: text };
  if (Array.isArray(response)) return { output: [{ type: 'text', text }] };
  const shape = Object.hasOwn(SHAPES, tool) ? SHAPES[tool] : undefined;
  return shape && isObject(response as Json) ? { output: shape(text, response as Record<string, unknown>) } : undefined;
}

/** The built-in tools whose results were seen to be replaced. Nothing of the original is kept but the name of the file. */
const SHAPES: Readonly<Record<string, (text: string, response: Record<string, unknown>) => unknown>> = {
  Bash: (text) => ({ stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false }),
  Read: (text, { file }) => ({
    type: 'text',
    file: {
      filePath: String((file as { filePath?: unknown } | undefined)?.filePath ?? ''),
      ...{ content: text, numLines: text.split('\n').length, startLine: 1, totalLines: text.split('\n').length },
    },
  }),
};

function isTexts(response: unknown): response is readonly { readonly type: 'text'; readonly text: string }[] {
  return Array.isArray(response) && response.length > 0 && response.every((part) => part?.type === 'text' && typeof part.text === 'string');
}

/** Whether two values have the same types, and the same keys at every level. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== typeof other || Array.isArray(one) !== Array.isArray(other)) return false;
  if (typeof one !== 'object' || one === null || other === null) return one === null ? other === null : other !== null;
  if (Array.isArray(one)) return (other as unknown[]).every((part) => isAlike(one[0], part));
  const [left, right] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => Object.hasOwn(left, key) && Object.hasOwn(right, key) && isAlike(left[key], right[key]));
}
