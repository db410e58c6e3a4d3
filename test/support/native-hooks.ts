/** One command hook, written in the format of each hook system. */
import { stringify } from 'yaml';

export interface HookWish {
  readonly event: string;
  readonly command: string;
  /** Whole seconds: the finest unit that all systems have. */
  readonly seconds?: number;
  readonly name?: string;
}

/** Returns the files of a project that has this hook, by their paths below its root. */
export type WriteHook = (wish: HookWish) => Record<string, string>;

export const NATIVE: Readonly<Record<string, WriteHook>> = {
  skillkit({ event, command, seconds, name = 'gate' }) {
    const handler = { type: 'command', command, ...(seconds !== undefined && { timeout: seconds }) };
    return {
      [`skills/${name}/SKILL.md`]: `---\n${stringify({ name, description: name, hooks: { [event]: [{ hooks: [handler] }] } })}---\n`,
    };
  },
  'claude-agent'({ event, command, seconds, name = 'gate' }) {
    const hook = { command, ...(seconds !== undefined && { timeout_secs: seconds }) };
    return { '.claude/settings.json': JSON.stringify({ hooks: { [event]: { [name]: hook } } }) };
  },
  agenthooks({ event, command, seconds, name = 'gate' }) {
    const front = { name, description: name, trigger: event, ...(seconds !== undefined && { timeout: seconds * 1000 }) };
    const folder = `.agents/hooks/${name}`;
    return { [`${folder}/HOOK.md`]: `---\n${stringify(front)}---\n`, [`${folder}/scripts/run`]: `#!/bin/sh\n${command}\n` };
  },
  hooktoml({ event, command, seconds, name = 'gate' }) {
    const limit = seconds === undefined ? '' : `timeout_secs = ${seconds}\n`;
    const text = `[hook]\nname = "${name}"\nevent = "${event}"\n\n[hook.action.shell]\ncommand = ${JSON.stringify(command)}\n${limit}`;
    return { [`hooks/${name}/HOOK.toml`]: text };
  },
  arawn({ event, command, seconds, name = 'gate' }) {
    const action = { type: 'command', command, ...(seconds !== undefined && { timeout: seconds * 1000 }) };
    return {
      [`plugins/${name}/.claude-plugin/plugin.json`]: JSON.stringify({ name, version: '1.0.0' }),
      [`plugins/${name}/hooks/hooks.json`]: JSON.stringify({ hooks: { [event]: [{ hooks: [action] }] } }),
    };
  },
};

/** The event before a tool runs, and the one after it succeeded. */
export const TOOL_EVENTS: Readonly<Record<string, { readonly before: string; readonly after: string }>> = {
  skillkit: { before: 'PreToolUse', after: 'PostToolUse' },
  'claude-agent': { before: 'PreToolUse', after: 'PostToolUse' },
  agenthooks: { before: 'before_tool', after: 'after_tool' },
  hooktoml: { before: 'before_tool_call', after: 'on_after_tool_call' },
  arawn: { before: 'PreToolUse', after: 'PostToolUse' },
};
