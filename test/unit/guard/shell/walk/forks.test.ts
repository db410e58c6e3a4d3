// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Texts are only ever read here, never run. */
import { expect, test } from 'vitest';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';

const shapes = (text: string) => analyse(text).shapes.map(({ kind }) => kind);

test.each([
  'b(){ b|b& };b',
  'b(){ b & }; b',
  'f(){ g & }; g(){ f; }; f',
  'f(){ command f & }; f',
  'f(){ $FUNCNAME & $FUNCNAME & }; f',
  "f(){ eval 'f & f &'; }; f",
  'f(){ if true; then f & fi; }; f',
  'f(){ f | f; }',
  'while ((1)); do run & done',
  'while [ 1 ]; do run & done',
  'while [[ 1 ]]; do run & done',
  'while ! false; do run & done',
  'until [ 1 = 2 ]; do run & done',
  'for ((;1;)); do run & done',
  'while true; do if true; then run & fi; done',
  'while true; do run & (wait); done',
  'while true; do coproc run; done',
])('%j is a fork bomb', (text) => {
  expect(shapes(text)).toContain('fork-bomb');
});

test.each([
  'while true; do run & sleep 1; done',
  'while true; do if x; then run & fi; done',
  'walk(){ for d in "$1"/*/; do walk "$d" & done; wait; }; walk .',
  'f(){ [ "$1" -gt 3 ] && return; f $(($1 + 1)) & }; f 0',
])('%j is no bomb, and goes on', (text) => {
  expect(shapes(text)).toEqual(['fork-loop']);
});

test.each([
  'f(){ g; }; g(){ f; }; f',
  'f(){ g & }; f; g(){ f; }',
  'while true; do run & wait; done',
  'while true; do run & wait "$!"; done',
  'while true; do (run & wait); done',
  'while true; do run & if full; then wait -n; fi; done',
  'while true; do run & break; done',
  'while true; do read -r x; run "$x" & done',
  'while read -r x; do run "$x" & done',
  'for i in 1 2 3; do run & done',
  'for ((i = 0; i < 3; i++)); do run & done',
  'while true; do run; done',
  'while ((0)); do run & done',
])('%j is neither', (text) => {
  expect(shapes(text)).toEqual([]);
});

test('many functions that all start each other are bounded', () => {
  const text = Array.from({ length: 1500 }, (_, i) => `f${i}(){ f${(i * 7) % 1500} & f${(i + 1) % 1500} & }`).join(';');
  expect(analyse(`${text};f0`).shapes.length + analyse(`${text};f0`).doubts.length).toBeGreaterThan(0);
});
