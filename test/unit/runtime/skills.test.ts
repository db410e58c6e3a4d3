/** Skills: the model sees their names first and their instructions on request; subagents work below the agent. */
import { expect, test } from 'vitest';
import { call, createScene } from '../../support/agents.ts';

const skill = (name: string, body: string, description = `Does ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

test('the system prompt lists skills by name and description, and the body comes with the call', async () => {
  const scene = await createScene({
    files: { 'own/deploy/SKILL.md': skill('ops:deploy', 'Deploy $ARGUMENTS to staging. Then check $ARGUMENTS.') },
    skillFolder: 'own',
    steps: [call('skill', { skill: 'ops:deploy', args: "web $& $'" }), call('echo', { text: 'x' }), 'done'],
  });
  await scene.agent.send('hello');
  expect(scene.script.prompts[0]).toContain('- ops:deploy: Does ops:deploy.');
  expect(scene.script.prompts[0]).not.toContain('to staging');
  expect(scene.script.prompts[1]).toContain("Deploy web $& $' to staging. Then check web $& $'.");
  const kinds = scene.fired();
  const at = kinds.indexOf('tool.before');
  expect(kinds.slice(at, at + 4)).toEqual(['tool.before', 'skill.before', 'skill.after', 'tool.after']);
  expect(scene.payloads('skill.before')).toMatchObject([
    { skill: 'ops:deploy', arguments: "web $& $'", definition: { name: 'ops:deploy', description: 'Does ops:deploy.' } },
  ]);
  // The tools that follow run for the skill.
  expect(scene.payloads('tool.before').map((data) => data['skill'] ?? null)).toEqual([
    null,
    { name: 'ops:deploy', description: 'Does ops:deploy.' },
  ]);
});

test('arguments of a skill that does not mention them are added', async () => {
  const scene = await createScene({
    files: { 'own/a/SKILL.md': skill('a', 'Do it.') },
    skillFolder: 'own',
    steps: [call('skill', { skill: 'a', args: 'now' }), 'done'],
  });
  await scene.agent.send('hello');
  expect(scene.script.prompts[1]).toContain('Arguments: now');
});

test('a skill that does not exist is an error that names those that do', async () => {
  const scene = await createScene({
    files: { 'own/a/SKILL.md': skill('a', 'Do it.') },
    skillFolder: 'own',
    steps: [call('skill', { skill: 'b' }), 'done'],
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done' });
  expect(scene.script.prompts[1]).toContain('There is no skill `b`. Skills: a.');
  expect(scene.fired()).not.toContain('skill.before');
});

test('a skill without a description, and a second one of the same name, are reported and not offered', async () => {
  const scene = await createScene({
    files: {
      'own/a/SKILL.md': skill('same', 'One.', 'The first.'),
      'own/b/SKILL.md': skill('same', 'Two.', 'The second.'),
      'own/c/SKILL.md': '---\nname: silent\n---\nBody.\n',
    },
    skillFolder: 'own',
  });
  await scene.agent.send('hello');
  expect(scene.script.prompts[0]).toContain('The first.');
  expect(scene.script.prompts[0]).not.toMatch(/The second|silent/);
  const problems = scene.events.flatMap((event) => (event.type === 'problem' ? [event.message] : []));
  expect(problems).toHaveLength(2);
  expect(problems.join()).toMatch(/already.*no description/s);
});

test('a subagent runs its own loop in its own session, and never fires stop.before', async () => {
  const scene = await createScene({
    steps: [
      call('task', { subagent_type: 'helper', prompt: 'Look it up.', description: 'look' }, 't1'),
      call('echo', { text: 'deep' }),
      'found',
      'bye',
    ],
    subagents: { helper: { description: 'Helps.', system: 'You help.', type: 'coder' } },
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'bye', steps: 2 });
  const kinds = scene.fired();
  const at = kinds.indexOf('tool.before');
  expect(kinds.slice(at, kinds.indexOf('turn.after'))).toEqual([
    ...[
      'tool.before',
      'subagent.before',
      'model.resolve@1',
      'prompt.build@1',
      'llm.before@1',
      'llm.after@1',
      'tool.before@1',
      'tool.after@1',
    ],
    ...['llm.before@1', 'llm.after@1', 'subagent.after', 'tool.after', 'llm.before', 'llm.after', 'stop.before'],
  ]);
  const about = { id: 'main/t1', name: 'helper', type: 'coder', task: 'Look it up.', depth: 1 };
  expect(scene.payloads('subagent.before')).toMatchObject([about]);
  expect(scene.payloads('subagent.after')).toMatchObject([{ ...about, success: true, result: 'found', durationMs: expect.any(Number) }]);
  expect(scene.script.prompts[1]).toContain('You help.');
  expect(scene.script.prompts[1]).not.toContain('hello');
  expect(scene.script.prompts[3]).toContain('found');
});

test('agents start agents only as deep as permitted', async () => {
  const deeper = call('task', { subagent_type: 'helper', prompt: 'Go deeper.' });
  const scene = await createScene({
    steps: [deeper, deeper, deeper, 'deepest', 'middle', 'top'],
    subagents: { helper: { description: 'Helps.' } },
    maxDepth: 2,
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'top' });
  expect(scene.payloads('subagent.before').map(({ depth }) => depth)).toEqual([1, 2]);
  expect(scene.script.prompts[3]).toContain('Agents may start agents 2 deep');
  expect(scene.payloads('tool.before').map(({ depth }) => depth ?? 0)).toEqual([0, 1, 2]);
});

test('a subagent has only the tools that it was given', async () => {
  const scene = await createScene({
    steps: [call('task', { subagent_type: 'reader', prompt: 'Go.' }), call('broken', { text: 'x' }), 'could not', 'bye'],
    subagents: { reader: { description: 'Reads.', tools: ['echo'] } },
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.ran).toEqual([]);
  expect(scene.script.prompts[2]).toContain('unavailable tool');
});

test('a subagent whose model fails is reported as such, and the agent goes on', async () => {
  const scene = await createScene({
    steps: [call('task', { subagent_type: 'helper', prompt: 'Go.' }), new Error('no line'), 'bye'],
    subagents: { helper: { description: 'Helps.' } },
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.payloads('subagent.after')).toMatchObject([{ success: false, error: 'no line' }]);
});
