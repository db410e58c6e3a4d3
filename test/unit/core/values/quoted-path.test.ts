import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quotedPath } from '../../../../src/core/values/quoted-path.ts';

test.each(['/p/HOOK.md', '/a home/x.ts', "/it's/$(id)/`x`", '~/x', '/é'])('%s is one word of a shell, and stays as it is', (file) => {
  expect(execFileSync('sh', ['-c', `printf %s ${quotedPath(file)}`], { encoding: 'utf8' })).toBe(file);
});

test('a plain path has no quotes', () => {
  expect(quotedPath('/p/.hookline/hooks/no-force.ts')).toBe('/p/.hookline/hooks/no-force.ts');
});
