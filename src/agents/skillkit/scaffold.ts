/** A new skill with one hook. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { REASON } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const program = `skills/${name}/scripts/${name}.sh`;
  const head = [
    '---',
    `name: ${name}`,
    'description: Pushed history is not rewritten.',
    'hooks:',
    '  PreToolUse:',
    '    - matcher: "^Shell$"',
    '      hooks:',
  ];
  const hook = [
    '        - type: command',
    `          command: "./${program}"`,
    '          timeout: 10',
    '---',
    `Write here what the skill does.`,
  ];
  const lines = [
    '#!/bin/sh',
    '# The event is JSON in HOOK_INPUT.',
    'case "$HOOK_INPUT" in',
    `  *push*--force*) echo '${REASON}'; exit 2 ;;`,
    'esac',
  ];
  return {
    files: [
      { path: `skills/${name}/SKILL.md`, text: `${[...head, ...hook].join('\n')}\n` },
      { path: program, text: `${lines.join('\n')}\n` },
    ],
    test: `skills/${name}.hooktest.yaml`,
    tool: 'Shell',
  };
};
