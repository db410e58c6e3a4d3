/** Codex itself, with a model that calls tools one by one or one that writes code which calls them. */
import type { Agent } from './agent.ts';

export interface CodexOptions {
  /** What Codex knows of a model decides which tools that is offered: `patches` has `apply_patch`, `codes` nothing but code. */
  readonly model?: 'plain' | 'patches' | 'codes';
  readonly env?: Readonly<Record<string, string>>;
  /** What else stands in its configuration. */
  readonly config?: string;
  /** Entries that nobody has approved are run only with the flag for it. */
  readonly approved?: boolean;
}

const MODELS = { plain: 'mock', patches: 'gpt-5.5', codes: 'gpt-6.1-sol' };

export function codex({ model = 'patches', env = {}, config = '', approved = true }: CodexOptions = {}): Agent {
  return {
    id: 'codex',
    packages: { '@openai/codex': '0.166.0' },
    shell: (command) =>
      model === 'codes'
        ? { call: 'exec', input: `text(await tools.exec_command(${JSON.stringify({ cmd: command })}))` }
        : { call: 'exec_command', input: { cmd: command } },
    prepare: ({ write }, { url }) => write({ '~/.codex/config.toml': `${providedBy(url, MODELS[model])}${config}` }),
    start: (prompt) => ({
      argv: ['codex', 'exec', ...(approved ? [APPROVED] : []), '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
      env: { SHELL: '/bin/bash', ...env },
    }),
  };
}

const APPROVED = '--dangerously-bypass-hook-trust';

function providedBy(url: string, model: string): string {
  return `model = "${model}"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}

/** A HOOK.md that looks at all tools, unless it is told which. */
export function hookMd(
  name: string,
  { trigger = 'before_tool', matcher = '', script }: { trigger?: string; matcher?: string; script: string },
) {
  return {
    [`.agents/hooks/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: For a test.\ntrigger: ${trigger}\n${matcher}---\n`,
    [`.agents/hooks/${name}/scripts/run.sh`]: `#!/bin/sh\n${script}\n`,
  };
}
