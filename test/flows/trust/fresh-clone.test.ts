/** A project that was just cloned leaves no mark: whatever it brings, in every format, on every event, nothing of it runs before it is trusted. */
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sampleEvent } from '../../../src/api/testing/index.ts';
import { AGENTS, DIALECTS } from '../../../src/builtins.ts';
import { EVENT_KINDS } from '../../../src/core/event/event.ts';
import type { Hookline, HooklineOptions, Model, Outcome } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const FORMATS = AGENTS.filter(({ places }) => places.length > 0).map(({ dialect }) => dialect);
const eventsOf = (id: string): string[] => Object.keys(DIALECTS.find((dialect) => dialect.id === id)?.profile.events ?? {});

interface Scene {
  readonly workspace: Workspace;
  /** What the hooks have done: commands that ran, requests that came in, questions to the model. */
  marks(): string[];
  open(options?: HooklineOptions): Promise<Hookline>;
}

async function createScene(): Promise<Scene> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`http ${request.url}`);
    response.end('{}');
  });
  server.on('connection', () => heard.push('connection'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = createWorkspace({ '~/marks/none': '' });
  workspace.write(projectOf(url, (name) => `touch ${workspace.at(`~/marks/${name}`)}`));
  const answer = (name: string) => async () => void heard.push(name);
  const model: Model = { judge: answer('judged'), verify: answer('verified') };
  return {
    workspace,
    marks: () => [...readdirSync(workspace.at('~/marks')).filter((name) => name !== 'none'), ...heard],
    open: (options = {}) => workspace.open({ model, ...options }),
  };
}

/** Hooks of every kind on every event of every format; `touch` gives the command that leaves a mark. */
function projectOf(url: string, touch: (name: string) => string): Record<string, string> {
  const yamlHooks = (events: readonly string[], prefix: string, http: boolean): string =>
    events
      .map((event) => {
        const command = `        - type: command\n          command: ${JSON.stringify(touch(`${prefix}-${event}`))}\n`;
        return `  ${event}:\n    - hooks:\n${command}${http ? `        - type: http\n          url: ${url}/${prefix}-${event}\n` : ''}`;
      })
      .join('');
  const nested = (events: readonly string[], prefix: string, more: readonly object[] = []): object =>
    Object.fromEntries(events.map((event) => [event, [{ hooks: [{ type: 'command', command: touch(`${prefix}-${event}`) }, ...more] }]]));
  const env = { HOOKLINE_TEST_ENV: 'from the project', HOOKLINE_HOME: '/nowhere', PATH: '/usr/bin:/bin:/nowhere' };
  const plugin = (folder: string, name: string, hooks: object): Record<string, string> => ({
    [`${folder}.claude-plugin/plugin.json`]: JSON.stringify({ name, hooks: './hooks/own.json', env }),
    [`${folder}hooks/own.json`]: JSON.stringify({ hooks }),
  });
  const files: Record<string, string> = {
    'skills/s/SKILL.md': `---\nname: s\nhooks:\n${yamlHooks(eventsOf('skillkit'), 'skillkit', true)}---\n`,
    '.claude/settings.json': JSON.stringify({ env, hooks: nested(eventsOf('claude-code'), 'settings') }),
    '.claude/settings.local.json': JSON.stringify({ env, hooks: { preToolUse: { local: touch('local') } } }),
    '.claude/skills/c/SKILL.md': `---\nname: c\nhooks:\n${yamlHooks(eventsOf('claude-code'), 'skill', false)}---\n`,
    '.claude/agents/a.md': `---\nname: a\nhooks:\n${yamlHooks(eventsOf('claude-code'), 'subagent', false)}---\n`,
    ...plugin('', 'root', nested(eventsOf('claude-code'), 'root')),
    ...plugin(
      'plugins/p/',
      'p',
      nested(eventsOf('arawn'), 'arawn', [
        { type: 'prompt', prompt: 'Is it safe?' },
        { type: 'agent', agent: 'checker' },
      ]),
    ),
  };
  for (const event of eventsOf('agenthooks')) {
    const name = event.replaceAll('_', '-');
    files[`.agents/hooks/${name}/HOOK.md`] = `---\nname: ${name}\ndescription: Marks.\ntrigger: ${event}\n---\n`;
    files[`.agents/hooks/${name}/scripts/run.sh`] = `#!/bin/sh\n${touch(`agenthooks-${event}`)}\n`;
  }
  for (const event of eventsOf('hooktoml')) {
    const toml = (name: string, action: string): void => {
      files[`hooks/${name}/HOOK.toml`] = `[hook]\nname = "${name}"\nevent = "${event}"\n${action}`;
    };
    const name = event.replaceAll('_', '-');
    toml(name, `[hook.action.shell]\ncommand = ${JSON.stringify(touch(`hooktoml-${event}`))}\n`);
    toml(`${name}-http`, `[hook.action.http]\nurl = "${url}/hooktoml-${event}"\n`);
    if (event === 'before_prompt_build' || event === 'on_message_sending')
      toml(`${name}-text`, '[hook.action.prompt_inject]\ncontent = "INJECTED"\n');
  }
  return files;
}

/** Every event: in the words of each format, and as each canonical kind. */
async function fireEverything(hookline: Hookline): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { id, profile, wire } of FORMATS) {
    if (id === 'claude-code') {
      const { data, ...rest } = sampleEvent('tool.before');
      const use = wire.encodeEvent({ ...rest, data: { ...data, tool: 'Skill', input: { skill: 'c' } } }, 'PreToolUse');
      outcomes.push(await hookline.fire({ as: id, event: 'PreToolUse', payload: use }));
    }
    for (const [event, { kinds }] of Object.entries(profile.events)) {
      const [kind] = kinds;
      if (kind) outcomes.push(await hookline.fire({ as: id, event, payload: wire.encodeEvent(sampleEvent(kind), event) }));
    }
  }
  for (const kind of EVENT_KINDS) outcomes.push(await hookline.fire(kind, sampleEvent(kind).data as never));
  await hookline.close(10_000);
  return outcomes;
}

test('nothing of a project that nobody trusts leaves a mark, makes a connection, or changes what comes of an event', async () => {
  const scene = await createScene();
  const before = { ...process.env };
  const outcomes = await fireEverything(await scene.open({ trust: 'ask' }));
  expect(scene.marks()).toEqual([]);
  expect(process.env).toEqual(before);
  for (const { decision, reason, context, notices, rewrite, halt, hooks } of outcomes) {
    expect({ decision, reason, context, notices, rewrite, halt }).toEqual({
      decision: 'pass',
      reason: null,
      context: [],
      notices: [],
      rewrite: undefined,
      halt: undefined,
    });
    expect(hooks.filter(({ status }) => status !== 'skipped')).toEqual([]);
  }
  expect(outcomes.some(({ hooks }) => hooks.length > 0)).toBe(true);
  expect(existsSync(scene.workspace.at('~/.local/state/hookline/trust.json'))).toBe(false);
});

test('the same hooks do all of that once they are trusted', async () => {
  const scene = await createScene();
  const outcomes = await fireEverything(await scene.open({ trust: 'all' }));
  const marks = new Set(scene.marks());
  const commands = [
    ...eventsOf('skillkit').map((event) => `skillkit-${event}`),
    ...['settings', 'skill', 'subagent', 'root'].flatMap((prefix) => eventsOf('claude-code').map((event) => `${prefix}-${event}`)),
    ...['agenthooks', 'hooktoml', 'arawn'].flatMap((id) => eventsOf(id).map((event) => `${id}-${event}`)),
    'local',
  ];
  expect(commands.filter((name) => !marks.has(name))).toEqual([]);
  const requests = [
    ...eventsOf('skillkit').map((event) => `skillkit-${event}`),
    ...eventsOf('hooktoml').map((event) => `hooktoml-${event}`),
  ];
  expect(requests.filter((name) => !marks.has(`http /${name}`))).toEqual([]);
  expect([marks.has('judged'), marks.has('verified')]).toEqual([true, true]);
  expect(outcomes.some(({ rewrite }) => String(rewrite).includes('INJECTED'))).toBe(true);
});
