import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { checkPattern, compilePattern } from '../../../../src/engine/select/compile.ts';

test('the engine is loaded by the first text that may match a pattern that needs it, and by none before', () => {
  const { cache } = createRequire(import.meta.url);
  const isLoaded = () => Object.keys(cache).some((file) => /[\\/]re2js[\\/]/.test(file));
  for (const source of ['Edit|Write', '^mcp__.*$', '(?i)bash', '\\.py$']) {
    expect(checkPattern(source)).toBeUndefined();
    compilePattern({ kind: 'pattern', source, anchor: 'whole' })('x');
  }
  const task = compilePattern({ kind: 'pattern', source: '^(Task|agent)_[a-z]+$', flags: 'i', anchor: 'search' });
  expect(task('Bash')).toBe(false);
  expect(isLoaded()).toBe(false);
  expect(task('AGENT_run')).toBe(true);
  expect(isLoaded()).toBe(true);
});
