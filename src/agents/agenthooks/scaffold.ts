/** A new `HOOK.md` with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, script } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const head = [
    '---',
    `name: ${name}`,
    'description: Pushed history is not rewritten.',
    'trigger: before_tool',
    'matcher:',
    '  tool: Shell',
    'timeout: 5000',
    '---',
  ];
  return {
    files: [
      {
        path: `.agents/hooks/${name}/HOOK.md`,
        text: `${head.join('\n')}\n\n# ${name}\n\nDenies a force push. Write here why, and whom to ask.\n`,
      },
      script(`.agents/hooks/${name}/scripts/run.sh`, BY_EXIT_CODE),
    ],
    test: `.agents/hooks/${name}.hooktest.yaml`,
    tool: 'Shell',
  };
};
