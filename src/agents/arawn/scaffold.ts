/** A new plugin with one hook. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { jsonFile, REASON, script } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const command = `\${CLAUDE_PLUGIN_ROOT}/hooks/${name}.sh`;
  const hooks = { PreToolUse: [{ matcher: 'shell', hooks: [{ type: 'command', command, timeout: 5000 }] }] };
  return {
    files: [
      jsonFile(`plugins/${name}/.claude-plugin/plugin.json`, { name, hooks: './hooks/hooks.json' }),
      jsonFile(`plugins/${name}/hooks/hooks.json`, { hooks }),
      script(`plugins/${name}/hooks/${name}.sh`, [`echo '${REASON}'`, 'exit 1']),
    ],
    test: `plugins/${name}.hooktest.yaml`,
    tool: 'shell',
  };
};
