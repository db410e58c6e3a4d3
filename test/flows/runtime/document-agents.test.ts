/** The agents that the documents write: started from a folder, built from a Claude Code project, with tools that write hooks, with plugins. */
import { existsSync, symlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Agent, createAgent, hookTools, type LivingAgent, startAgent } from '../../../src/agent.ts';
import { fnHook } from '../../../src/claude-agent.ts';
import { call, testTools } from '../../support/agents.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { trustAll } from '../trust/trusted-project.ts';

function stopped(agent: LivingAgent): LivingAgent {
  onTestFinished(() => agent.stop({ deadlineMs: 1000 }));
  return agent;
}

const GATE_SKILL = `---
name: ops:gate
description: A gate for tools.
hooks:
  PreToolUse:
    - hooks:
        - type: slack
          channel: "#deployments"
          message: "Tool executed"
---
Deploy $ARGUMENTS to staging.
`;

test('document 000: startAgent starts the agent of a folder, with skills whose hooks use handlers of the program', async () => {
  const workspace = createWorkspace({
    'agents/my-agent/AGENT.md': '---\nname: my-agent\n---\nYou deploy services.\n',
    'skills/gate/SKILL.md': GATE_SKILL,
  });
  const posted: unknown[] = [];
  const slack = {
    execute(config: object) {
      posted.push(config);
      return { deny: 'Not on a Friday.' } as never;
    },
  };
  const script = scriptedModel([call('echo', { text: 'hi' }), 'I stopped.']);
  const ran: string[] = [];
  const agent = stopped(
    await startAgent('agents/my-agent', {
      ...{ skills: ['skills'], hookHandlers: { slack }, model: script.model, tools: testTools(ran), cwd: workspace.root },
      hooks: { home: workspace.home },
    }),
  );
  const turn = await agent.send('Deploy.');
  expect([agent.name, turn.status, ran]).toEqual(['my-agent', 'done', []]);
  expect(posted).toEqual([{ channel: '#deployments', message: 'Tool executed' }]);
  expect(script.prompts[0]).toContain('You deploy services.');
  expect(script.prompts[0]).toContain('ops:gate');
  expect(script.prompts[1]).toContain('Not on a Friday.');
});

test('an agent whose folder, file or model is wrong is not started, and the error names the place', async () => {
  const workspace = createWorkspace({
    'agents/a/AGENT.md': '---\nmodel: [1]\n---\n',
    'agents/b/AGENT.md': 'No settings.\n',
  });
  const start = (folder: string) => startAgent(folder, { cwd: workspace.root, hooks: { home: workspace.home } });
  await expect(start('agents/none')).rejects.toThrow('There is no folder');
  await expect(start('agents/a')).rejects.toThrow(/AGENT\.md:2:8: `model` must be text, found a list/);
  await expect(start('agents/b')).rejects.toThrow('has no model');
});

test('an agent whose start a hook denies is not started', async () => {
  const denies = '---\nname: no\ndescription: No.\nhooks:\n  PreAgent:\n    - hooks:\n        - type: never\n---\n';
  const workspace = createWorkspace({ 'agents/a/AGENT.md': '', 'skills/no/SKILL.md': denies });
  const never = { execute: () => ({ deny: 'Not today.' }) as never };
  await expect(
    startAgent('agents/a', {
      ...{ model: scriptedModel([]).model, skills: ['skills'], hookHandlers: { never }, cwd: workspace.root },
      hooks: { home: workspace.home },
    }),
  ).rejects.toThrow('Not today.');
});

test('document 001: the builder takes a Claude Code project and hooks in code; hooks of the project wait for trust', async () => {
  const workspace = createWorkspace({
    'CLAUDE.md': 'Always answer in verse.\n',
    '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews code.\ntools: echo, Read\n---\nYou review.\n',
    '.claude/skills/deploy/SKILL.md': `---\nname: deploy\ndescription: Deploys.\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "touch ran-untrusted; exit 2"\n---\nDeploy.\n`,
  });
  const script = scriptedModel([call('echo', { text: 'rm' }), call('echo', { text: 'ls' }), 'Done.']);
  const ran: string[] = [];
  const security = fnHook('security', ['PreToolUse'], ({ data }) =>
    JSON.stringify(data).includes('rm') ? { continueExecution: false, stopReason: 'No deletions.' } : undefined,
  );
  const agent = stopped(
    await Agent.builder()
      .fromClaudeCode(workspace.root)
      .with({ model: script.model, tools: testTools(ran), hooks: { home: workspace.home } })
      .hook(security)
      .build(),
  );
  const turn = await agent.send('Go.');
  expect([turn.status, ran]).toEqual(['done', ['echo {"text":"ls"}']]);
  expect(script.prompts[0]).toContain('Always answer in verse.');
  expect(script.prompts[0]).toContain('deploy: Deploys.');
  expect(script.prompts[0]).toContain('reviewer: Reviews code.');
  expect(script.prompts[1]).toContain('No deletions.');
  expect(existsSync(workspace.at('ran-untrusted'))).toBe(false);
});

const HOOK_TOML = `[hook]
name = "no-birds"
event = "before_tool_call"

[hook.action.shell]
command = "echo Not a bird again. >&2; exit 2"

[hook.conditions]
pattern = "magpie"
`;

test('document 003: an agent writes a HOOK.toml and reloads; the hook fires after a person has trusted it, and not before', async () => {
  const workspace = createWorkspace();
  const hookline = await workspace.open({ trust: 'ask' });
  const write = call('file_write', { path: 'hooks/no-birds/HOOK.toml', content: HOOK_TOML });
  const reload = call('hook_reload', {});
  const echo = call('echo', { text: 'magpie' });
  const script = scriptedModel([write, reload, echo, 'Written.', reload, echo, 'Denied.']);
  const ran: string[] = [];
  const agent = stopped(
    await createAgent({
      ...{ model: script.model, cwd: workspace.root, hooks: hookline },
      tools: { ...testTools(ran), ...(await hookTools(hookline, workspace.root)) },
    }),
  );
  expect((await agent.send('Write a hook.')).status).toBe('done');
  expect(script.prompts[1]).toContain('only after a person has trusted');
  expect(script.prompts[2]).toMatch(/Not active: `no-birds`.*trust/);
  expect(ran).toEqual(['echo {"text":"magpie"}']);
  await trustAll(workspace);
  expect((await agent.send('Again.')).status).toBe('done');
  expect(script.prompts.at(-2)).toContain('1 hook is active');
  expect(script.prompts.at(-1)).toContain('Reason: Not a bird again.');
  expect(ran).toEqual(['echo {"text":"magpie"}']);
});

test('file_write writes below the workspace alone: not above it, not by an absolute path, not through a link', async () => {
  const workspace = createWorkspace({ '~/secret.txt': 'old' });
  symlinkSync(workspace.home, workspace.at('out'));
  const hookline = await workspace.open();
  const { file_write: tool } = await hookTools(hookline, workspace.root);
  const write = async (path: string) => tool?.execute?.({ path, content: 'new' } as never, {} as never);
  for (const path of ['../home/secret.txt', workspace.at('~/secret.txt'), 'out/secret.txt', 'out/deep/er.txt', '.', ''])
    await expect(write(path), path).rejects.toThrow(/workspace|directory/);
  expect(await write('a/b/c.txt')).toContain('Wrote a/b/c.txt.');
  expect(existsSync(workspace.at('~/deep'))).toBe(false);
});

/** The document's variable for the folder of a plugin. */
const ROOT = ['$', '{CLAUDE_PLUGIN_ROOT}'].join('');

test('document 004: hooks of a plugin folder judge the tools of the agent', async () => {
  const workspace = createWorkspace({
    'my-plugins/gate/.claude-plugin/plugin.json': '{"name": "gate", "hooks": "./hooks/hooks.json"}',
    'my-plugins/gate/hooks/hooks.json': JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'echo', hooks: [{ type: 'command', command: `${ROOT}/no.sh` }] }] },
    }),
    'my-plugins/gate/no.sh': '#!/bin/sh\necho "Not by this plugin."\nexit 1\n',
  });
  const script = scriptedModel([call('echo', { text: 'hi' }), 'Denied.']);
  const ran: string[] = [];
  const agent = stopped(
    await createAgent({
      ...{ model: script.model, cwd: workspace.root, tools: testTools(ran) },
      hooks: { home: workspace.home, plugins: [workspace.at('my-plugins')], readAs: { plugins: 'arawn' }, trust: 'all' },
    }),
  );
  expect((await agent.send('Go.')).status).toBe('done');
  expect([ran, script.prompts[1]]).toEqual([[], expect.stringContaining('Not by this plugin.')]);
});
