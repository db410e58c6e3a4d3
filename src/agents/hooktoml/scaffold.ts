/** A new `HOOK.toml` with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { REASON, script } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name, schema) => {
  const path = `hooks/${name}/HOOK.toml`;
  const lines = [
    ...[
      `#:schema ${schema(path)}`,
      '[hook]',
      `name = "${name}"`,
      'description = "Pushed history is not rewritten."',
      'event = "before_tool_call"',
    ],
    ...['', '[hook.action.shell]', 'command = "sh ./run.sh"', 'timeout_secs = 5'],
  ];
  return {
    files: [{ path, text: `${lines.join('\n')}\n` }, script(`hooks/${name}/run.sh`, [`echo '${REASON}' >&2`, 'exit 1'])],
    test: `hooks/${name}.hooktest.yaml`,
    tool: 'Bash',
  };
};
