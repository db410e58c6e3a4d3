/**
 * A project with hooks in the four formats that no agent knows by itself. Each of them watches for its own word in a command, so that a test
 * chooses by the command which hook has something to say.
 */
export type FormatName = 'HOOK.md' | 'HOOK.toml' | 'skill' | 'plugin';

/** A word in a command that the hook of a format objects to, and what it says then. */
export const GATES: Readonly<Record<FormatName, { readonly word: string; readonly says: string }>> = {
  'HOOK.md': { word: 'md-trigger', says: 'The keeper of HOOK.md objects.' },
  'HOOK.toml': { word: 'toml-trigger', says: 'The keeper of HOOK.toml objects.' },
  skill: { word: 'skill-trigger', says: 'The keeper of the skill objects.' },
  plugin: { word: 'plugin-trigger', says: 'The keeper of the plugin objects.' },
};

/** A word in a command on which the hook of this name crashes. */
export const CRASH = { name: 'crasher', word: 'crash-please' };
/** A word in a command that a HOOK.md puts another one in the place of. */
export const REWRITE = { from: 'rewrite-me', to: 'rewritten' };
/** A word in a command that a HOOK.md wants a person to decide on. */
export const ASK = { word: 'ask-somebody', says: 'A person should see this.' };
/** A word in a command on which HOOK.md files add to the context, before and after. */
export const CONTEXT = { word: 'context-please', before: 'This command is looked at closely.', after: 'The result was looked at.' };
/** Added to what the agent knows with every prompt. */
export const PROMPT_CONTEXT = 'House rule: be brief.';
/** While this file is there the agent may not stop; it is taken away by the hook that says so. */
export const STOP = { file: 'tests-wanted', says: 'The tests have not been run yet.' };

const { 'HOOK.md': md, 'HOOK.toml': toml, skill, plugin } = GATES;

export const PROJECT: Readonly<Record<string, string>> = {
  ...hookMd('gate', 'before_tool', md.word, `echo '${md.says}' >&2`, 'exit 2'),
  ...hookMd(CRASH.name, 'before_tool', CRASH.word, 'exit 1'),
  ...hookMd('rewrite', 'before_tool', REWRITE.from, `printf '{"modified_input":{"command":"touch ran-${REWRITE.to}"}}'`),
  ...hookMd('ask', 'before_tool', ASK.word, says('reason', ASK.says, 'ask')),
  ...hookMd('before-note', 'before_tool', CONTEXT.word, says('additional_context', CONTEXT.before)),
  ...hookMd('after-note', 'after_tool', CONTEXT.word, says('additional_context', CONTEXT.after)),
  ...hookMd('prompt-note', 'before_agent', undefined, says('additional_context', PROMPT_CONTEXT)),
  ...hookMd('tests-first', 'before_stop', undefined, `rm ${STOP.file} 2>/dev/null || exit 0`, says('reason', STOP.says, 'deny')),
  'hooks/keeper/HOOK.toml': '[hook]\nname = "keeper"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "sh ./run.sh"\n',
  'hooks/keeper/run.sh': `if grep -q ${toml.word}; then echo '${toml.says}' >&2; exit 1; fi\n`,
  'skills/keeper/SKILL.md': `---
name: keeper
description: Keeps watch.
hooks:
  PreToolUse:
    - matcher: ^Bash$
      hooks:
        - type: command
          command: 'case $HOOK_INPUT in *${skill.word}*) echo "${skill.says}"; exit 2 ;; esac'
---
`,
  'plugins/keeper/.claude-plugin/plugin.json': '{ "name": "keeper" }\n',
  'plugins/keeper/hooks/hooks.json': JSON.stringify({
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh ./hooks/gate.sh' }] }] },
  }),
  'plugins/keeper/hooks/gate.sh': `if grep -q ${plugin.word}; then echo '${plugin.says}'; exit 1; fi\n`,
};

/** A HOOK.md that denies every prompt with this reason. */
export function denyingPrompts(reason: string): Readonly<Record<string, string>> {
  return hookMd('no-prompts', 'before_agent', undefined, says('reason', reason, 'deny'));
}

function hookMd(name: string, trigger: string, pattern: string | undefined, ...script: string[]): Record<string, string> {
  const matcher = pattern === undefined ? '' : `matcher:\n  tool: ^Bash$\n  pattern: ${pattern}\n`;
  return {
    [`.agents/hooks/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: For a test.\ntrigger: ${trigger}\n${matcher}---\n`,
    [`.agents/hooks/${name}/scripts/run.sh`]: `#!/bin/sh\n${script.join('\n')}\n`,
  };
}

function says(key: string, text: string, decision?: string): string {
  return `echo '${JSON.stringify({ ...(decision !== undefined && { decision }), [key]: text })}'`;
}
