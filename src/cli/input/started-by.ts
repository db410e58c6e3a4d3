/** How to tell that a command was started by an agent or a hook, and not by a person: variables that only these set. */

/** Variable → who sets it for what it starts. */
export const AGENT_MARKERS: Readonly<Record<string, string>> = {
  HOOKLINE_DEPTH: 'a hook',
  AI_AGENT: 'an agent',
  AUGMENT_HOOK_EVENT: 'Augment',
  CLAUDECODE: 'Claude Code',
  CLAUDE_CODE_SESSION_ID: 'Claude Code',
  CLAUDE_PROJECT_DIR: 'a hook of an agent',
  CODEX_SANDBOX: 'Codex',
  CODEX_THREAD_ID: 'Codex',
  COPILOT_CLI: 'Copilot',
  COPILOT_HOOK_DIR: 'Copilot',
  CRUSH: 'Crush',
  CURSOR_AGENT: 'Cursor',
  CURSOR_PROJECT_DIR: 'Cursor',
  FACTORY_PROJECT_DIR: 'Factory',
  GEMINI_CLI: 'Gemini CLI',
  GEMINI_SESSION_ID: 'Gemini CLI',
  QWEN_PROJECT_DIR: 'Qwen Code',
};

/** Who started this process, if it was not a person as far as can be told. */
export function startedBy(env: NodeJS.ProcessEnv): string | undefined {
  const marker = Object.keys(AGENT_MARKERS).find((name) => env[name] !== undefined && env[name] !== '' && env[name] !== '0');
  return marker === undefined ? undefined : `${AGENT_MARKERS[marker]} (${marker})`;
}
