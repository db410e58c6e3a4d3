/** A new hook in TypeScript. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { REASON } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const lines = [
    "import { defineHook, deny } from 'hookline/hook';",
    '',
    'export default defineHook({',
    "  on: 'tool.before',",
    "  match: { tool: 'Bash' },",
    '  run(event) {',
    '    const { command } = event.data.input;',
    `    if (/\\bpush\\b.*--force/.test(command)) return deny('${REASON}');`,
    '    return undefined;',
    '  },',
    '});',
  ];
  return {
    files: [{ path: `.hookline/hooks/${name}.ts`, text: `${lines.join('\n')}\n` }],
    test: `.hookline/hooks/${name}.hooktest.yaml`,
    tool: 'Bash',
    isTyped: true,
  };
};
