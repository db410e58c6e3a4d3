import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsEnvironment, spaceOut } from '../../../../src/handlers/command/payload.ts';

test('a space follows every colon and comma, but none in a string', () => {
  expect(spaceOut('{"a":1,"b,c:d":[true,null,"x:\\",y\\\\"],"e":{}}')).toBe('{"a": 1, "b,c:d": [true, null, "x:\\",y\\\\"], "e": {}}');
});

test('spacing never changes what the JSON says, and without the spaces it is what it was', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const compact = JSON.stringify(JSON.parse(text));
      const spaced = spaceOut(compact);
      expect(JSON.parse(spaced)).toEqual(JSON.parse(compact));
      expect(JSON.stringify(JSON.parse(spaced))).toBe(compact);
    }),
  );
});

test('every mark outside strings is spaced, as a scanner that goes character by character says', () => {
  const strings = fc.string({ unit: fc.constantFrom('"', '\\', ':', ',', 'a', ' ') });
  fc.assert(
    fc.property(fc.array(fc.record({ key: strings, value: strings })), (value) => {
      const compact = JSON.stringify(value);
      expect(spaceOut(compact)).toBe(spaceSlowly(compact));
    }),
  );
});

test('long strings of quotes, backslashes or marks take linear time', () => {
  const started = performance.now();
  for (const unit of ['"', '\\', '\\"', ',', ':"']) {
    const text = JSON.stringify({ x: unit.repeat(500_000), y: [unit] });
    expect(JSON.parse(spaceOut(text))).toEqual(JSON.parse(text));
  }
  expect(performance.now() - started).toBeLessThan(5000);
});

test('nesting takes no stack', () => {
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
  expect(spaceOut(deep)).toBe(deep);
});

test('an environment string has room for its name, the equals sign and the final NUL', () => {
  expect(fitsEnvironment('HOOK_INPUT', 'x'.repeat(131_060))).toBe(true);
  expect(fitsEnvironment('HOOK_INPUT', 'x'.repeat(131_061))).toBe(false);
  expect(fitsEnvironment('HOOK_INPUT', 'é'.repeat(65_531))).toBe(false);
});

function spaceSlowly(json: string): string {
  let out = '';
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    out += char;
    if (inString && char === '\\') {
      at += 1;
      out += json.charAt(at);
    } else if (char === '"') inString = !inString;
    else if (!inString && (char === ':' || char === ',')) out += ' ';
  }
  return out;
}
