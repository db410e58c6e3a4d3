/** A payload that is written piece by piece is the text that it is as a whole, whatever its strings contain. */
import { closeSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { openStdinFile } from '../../../../src/handlers/command/channels.ts';
import { type LongText, longText } from '../../../../src/handlers/command/long-text.ts';
import { hasLongString, jsonStyle } from '../../../../src/handlers/command/payload.ts';

const ROOM = 64 * 1024 * 1024;
const MARK = 'hookline:a-long-string';
const long = (unit: string) => unit.repeat(Math.ceil(150_000 / unit.length));
const whole = (text: LongText | undefined) => text && [...text.pieces()].join('');

const PAYLOADS: readonly [string, JsonObject][] = [
  ['one long string', { tool: 'Write', input: { content: long('x'), path: 'a' } }],
  ['several, next to each other and in lists', { a: long('a'), b: [long('b'), 1, [long('c')]], c: null }],
  ['quotes, backslashes and control characters', { content: long('"\\\n\u0001\u007f') }],
  ['characters of two, three and four bytes', { content: long('é日😀') }],
  ['four bytes at any place', { content: `x${long('😀')}` }],
  ['halves of characters', { content: `${long('\ud83d')}\ude00${long('\ude00')}` }],
  ['marks outside and inside strings', { 'a:b,c': long(':,"'), d: ':,' }],
];

test.each(PAYLOADS)('%s', (_, payload) => {
  for (const name of ['compact', 'spaced', 'line'] as const) {
    const style = jsonStyle(name);
    const text = longText(payload, style, ROOM) as LongText;
    const json = style(JSON.stringify(payload));
    expect(whole(text)).toBe(json);
    expect(JSON.parse(JSON.stringify({ text }))).toEqual({ text: json });
    expect(text.mostBytes).toBeGreaterThanOrEqual(Buffer.byteLength(json));
    const file = openStdinFile(text);
    expect(readFileSync(file).equals(Buffer.from(json))).toBe(true);
    closeSync(file);
  }
});

test('any strings', () => {
  const unit = fc.string({ unit: 'binary', minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 3 }), fc.jsonValue(), (units, rest) => {
      const payload = { texts: units.map(long), rest: rest as never };
      expect(whole(longText(payload, jsonStyle('compact'), ROOM))).toBe(JSON.stringify(payload));
    }),
    { numRuns: 20 },
  );
});

test.each<[string, JsonObject, boolean]>([
  ['below other parts', { list: [1, 2, { content: long('x') }] }, true],
  ['only several short ones', { content: 'x'.repeat(100_000), more: 'x'.repeat(100_000) }, false],
  ['behind more parts than are worth a look', { content: [long('x')], list: Array.from({ length: 1000 }, () => 1) }, false],
])('a long string is found: %s', (_, payload, isFound) => {
  expect(hasLongString(payload)).toBe(isFound);
});

test.each<[string, JsonObject, number]>([
  ['the mark as a string of its own', { content: long('x'), other: MARK }, ROOM],
  ['the mark as a key', { content: long('x'), [MARK]: 1 }, ROOM],
  ['more than the limit, perhaps', { content: long('x') }, 6 * 150_000],
])('a payload is left to be written whole: %s', (_, payload, limit) => {
  expect(longText(payload, jsonStyle('compact'), limit)).toBeUndefined();
});

test('a payload that is nested too deep is left to the report of that', () => {
  let deep: JsonObject = {};
  for (let i = 0; i < 100_000; i++) deep = { deep };
  expect(longText({ content: long('x'), deep }, jsonStyle('compact'), ROOM)).toBeUndefined();
});
