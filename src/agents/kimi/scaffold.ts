/** A new entry in the configuration of the user, who alone can have hooks, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, script } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name, schema) => {
  const path = '~/.kimi-code/config.toml';
  const program = `~/.kimi-code/hooks/${name}.sh`;
  const table = `${['[[hooks]]', 'event = "PreToolUse"', 'matcher = "Bash"', `command = "${program}"`, 'timeout = 10'].join('\n')}\n`;
  const entry = { list: 'hooks', table };
  return {
    files: [{ path, text: `#:schema ${schema(path)}\n${table}`, entry }, script(program, BY_EXIT_CODE)],
    test: '~/.kimi-code/config.hooktest.yaml',
    tool: 'Bash',
  };
};
