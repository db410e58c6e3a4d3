/**
 * Remembered hooks are the hooks that a search would find, and a remembered call has the answer that a judgement would give: over random projects and random changes of files, settings, trust and notes,
 * whenever there is an answer from memory, the judgement asks no hook, reports nothing and answers with the same bytes.
 */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHookline } from '../../../src/api/create-hookline.ts';
import { resolvePlaces } from '../../../src/api/options.ts';
import { AGENTS } from '../../../src/builtins.ts';
import { isQuietCall } from '../../../src/cli/run/quiet-call.ts';
import { type Judged, rememberIfQuiet } from '../../../src/cli/run/remember-silence.ts';
import type { Outcome } from '../../../src/core/decision/outcome.ts';
import { createHostAnswerer, type FiringEngine, type HostAnswer } from '../../../src/engine/answer-host.ts';
import { type Memory, openMemory } from '../../../src/load/memory.ts';
import { loadOnce } from '../../../src/load/remembered/hooks.ts';
import { noteLookups } from '../../../src/load/remembered/lookups.ts';
import { readSilence } from '../../../src/load/remembered/silence.ts';
import { createSources } from '../../../src/load/sources.ts';
import { endPause, writePause } from '../../../src/stores/pause.ts';
import { openSessionNotes } from '../../../src/stores/session-notes.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const RUNS = 25;
/** The files are old enough to prove something. */
const LATER = (): number => Date.now() + 60_000;

const MATCHERS = ['Glob', 'Bash', 'Glob|Read', '^mcp__', '^G[a-z]{1,3}b$', 'Write', '.*'];
const TOOLS = ['Glob', 'Read', 'Bash', 'mcp__x__y', 'Agent', undefined];
const EVENTS = ['PreToolUse', 'PostToolUse', 'Notification', 'SessionStart', 'Stop', 'UserPromptSubmit', 'Unheard'];
const SESSIONS = ['s1', 's2', 'with a space', undefined];

const markdown = (name: string, matcher: string, more: string): string =>
  `---\nname: ${name}\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: '${matcher}'\n${more}metadata:\n  command: hookline guard\n---\n`;
const groups = (event: string, matcher: string): string =>
  JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command: 'hookline guard' }] }] } });

/** A file with a hook in each kind of place. */
const FILES: readonly ((matcher: string) => readonly [file: string, text: string])[] = [
  (matcher) => ['~/.config/agents/hooks/one/HOOK.md', markdown('one', matcher, '')],
  (matcher) => ['~/.config/agents/hooks/two/HOOK.md', markdown('two', matcher, "  pattern: 'secret'\n")],
  (matcher) => ['.agents/hooks/three/HOOK.md', markdown('three', matcher, '')],
  (matcher) => ['~/.claude/settings.json', groups('PreToolUse', matcher)],
  (matcher) => ['.claude/settings.json', groups('PostToolUse', matcher)],
  (matcher) => ['.codex/hooks.json', groups('PreToolUse', matcher)],
  (matcher) => ['~/.gemini/settings.json', groups('BeforeTool', matcher)],
  (matcher) => [
    'hooks/four/HOOK.toml',
    `[hook]\nname = "four"\nevent = "before_tool_call"\ntools = ["${matcher}"]\n[hook.action.shell]\ncommand = "hookline guard"\n`,
  ],
  (matcher) => [
    'skills/five/SKILL.md',
    `---\nname: five\ndescription: A skill.\nhooks: ${groups('PreToolUse', matcher).slice(9, -1)}\n---\n`,
  ],
  () => ['~/.config/agents/hooks/six/HOOK.md', '---\nname: [\n---\n'],
];

const SETTINGS = ['{}', '{"strict":true}', '{"dialects":["agenthooks"]}', '{"log":{"record":"all"}}', '{"required":["one"]}', '{'];
const gone = (root: string): string =>
  JSON.stringify({ trusted: [{ digest: 'x', name: 'gone', dialect: 'agenthooks', file: `${root}/gone`, root, at: 'then' }], denied: [] });

const SILENT: HostAnswer = { stdout: '', stderr: '', exit: 0 };

type Step = (world: World) => unknown;
interface World {
  readonly workspace: Workspace;
  readonly stateFolder: string;
  /** Answers and hooks from memory so far. */
  hits: number;
  hooksHits: number;
}

const pick = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const changes: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(pick(FILES), pick(MATCHERS)).map(
    ([make, matcher]): Step =>
      ({ workspace }) => {
        const [file, text] = make(matcher);
        workspace.write({ [file]: text });
      },
  ),
  pick(FILES).map(
    (make): Step =>
      ({ workspace }) =>
        workspace.remove(make('')[0]),
  ),
  pick(FILES).map(
    (make): Step =>
      ({ workspace }) =>
        workspace.remove(path.dirname(make('')[0])),
  ),
  pick(SETTINGS).map(
    (text): Step =>
      ({ workspace }) =>
        workspace.write({ '~/.config/hookline/settings.json': text }),
  ),
  pick(['', '{}', '{"trusted":[],"denied":[]}']).map(
    (text): Step =>
      ({ workspace }) => {
        workspace.write({ '~/.local/state/hookline/trust.json': text === '' ? gone(workspace.root) : text });
      },
  ),
  fc.boolean().map(
    (isOn): Step =>
      ({ stateFolder }) => {
        if (isOn) writePause(stateFolder, { at: Date.now() - 1, until: Date.now() + 60_000, by: 'a test', reason: '' });
        else endPause(stateFolder);
      },
  ),
  fc.tuple(pick(['refused', 'foreign-entries']), pick(['s1', 'with a space', 'claude-code'])).map(
    ([topic, session]): Step =>
      ({ stateFolder }) => {
        openSessionNotes({ stateFolder, topic, root: '', nameless: 'default' }).add(session, '');
      },
  ),
  pick(['one', 'two', 'nowhere']).map(
    (target): Step =>
      ({ workspace }) => {
        const link = workspace.at('~/.config/agents/hooks/linked');
        workspace.write({ '~/.config/agents/hooks/.keep': '' });
        rmSync(link, { force: true });
        symlinkSync(workspace.at(`~/.config/agents/hooks/${target}`), link);
      },
  ),
  fc.constant<Step>(({ workspace }) => {
    workspace.write({ '~/.config/agents/hooks/one/HOOK.md': markdown('one', 'Glob', '') });
    rmSync(workspace.at('~/.config/agents/hooks/moved'), { recursive: true, force: true });
    renameSync(workspace.at('~/.config/agents/hooks/one'), workspace.at('~/.config/agents/hooks/moved'));
  }),
];

const call = fc
  .record({
    host: pick(['claude-code', 'codex', 'gemini-cli', 'cursor']),
    event: pick([...EVENTS, 'BeforeTool', 'AfterTool', 'preToolUse']),
    tool: pick(TOOLS),
    session: pick(SESSIONS),
    extra: pick([{}, { cursor_version: '1' }, { tool_input: { command: 'rm -rf /' } }, { error: 'x' }]),
  })
  .map(
    ({ host, event, tool, session, extra }): Step =>
      async (world) => {
        const payload = {
          hook_event_name: event,
          tool_name: tool,
          session_id: session,
          tool_input: {},
          cwd: world.workspace.root,
          ...extra,
        };
        await compare(world, host, JSON.stringify(payload));
      },
  );

/** Concerns no hook in an empty project, so that every run has an answer from memory before its first change. */
const PLAIN = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Glob', session_id: 's1', tool_input: {} });
const plainCall = fc.constant<Step>((world) => compare(world, 'claude-code', PLAIN));

/** Twice or more, so that a call is answered from memory, and then again after the next change. */
const calls = fc.tuple(fc.oneof(call, plainCall), fc.integer({ min: 2, max: 3 })).map(
  ([step, times]): Step =>
    async (world) => {
      for (let i = 0; i < times; i++) await step(world);
    },
);

/** The hooks that are read again, and those of a search that was remembered. */
async function compareHooks(world: World, memory: Memory): Promise<void> {
  const { root, home } = world.workspace;
  const places = resolvePlaces({ root, home });
  const load = () => createSources({ agents: AGENTS, places }).load(new Map());
  let isRemembered = true;
  const kept = loadOnce(
    memory,
    places,
    () => {
      isRemembered = false;
      return load();
    },
    LATER,
  );
  expect(await kept).toEqual(await load());
  if (isRemembered) world.hooksHits++;
}

async function compare(world: World, host: string, text: string): Promise<void> {
  const { workspace, stateFolder } = world;
  const memory = openMemory(stateFolder, undefined, { build: 'test', folder: workspace.root, policy: workspace.at('~/no-policy.json') });
  if (!memory) throw new Error('there must be a memory');
  await compareHooks(world, memory);
  const silence = readSilence(memory, host);
  const isRemembered = silence && isQuietCall(silence, host, text, stateFolder, {});
  const lookups = noteLookups(LATER);
  const { hookline, engine, isQuiet, answerContext } = await openHookline({ root: workspace.root, home: workspace.home, store: 'default' });
  const outcomes: Outcome[] = [];
  const events: Judged[] = [];
  const judge: FiringEngine['judge'] = async (event, options) => {
    events.push({ event, skipDialects: options.skipDialects ?? [] });
    const outcome = await engine.judge(event, options);
    outcomes.push(outcome);
    return outcome;
  };
  const answer: HostAnswer = await createHostAnswerer({ ...engine, judge }, answerContext)(host, text, undefined, {});
  await hookline.close(1000);
  if (isRemembered) {
    world.hits++;
    const asked = outcomes.flatMap(({ hooks, diagnostics }) => [...hooks.map(({ name }) => name), ...diagnostics.map(({ code }) => code)]);
    expect({ answer, asked }).toEqual({ answer: SILENT, asked: [] });
  }
  const isSilent = answer.stdout === '' && answer.stderr === '' && answer.exit === 0;
  if (isSilent) rememberIfQuiet(memory, { host, text, asked: undefined, events, isQuiet, entry: host, variables: [], lookups });
}

test('a remembered search has the hooks of a new one, and a remembered call has the answer of a judgement', async () => {
  let [hits, hooksHits] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: calls }, { weight: 2, arbitrary: fc.oneof(...changes) }), { minLength: 8, maxLength: 24 }),
      async (steps) => {
        const workspace = createWorkspace({ '~/.local/state/hookline/.keep': '' });
        const world: World = { workspace, stateFolder: workspace.at('~/.local/state'), hits: 0, hooksHits: 0 };
        for (let i = 0; i < 2; i++) await compare(world, 'claude-code', PLAIN);
        for (const step of steps) await step(world);
        hits += world.hits;
        hooksHits += world.hooksHits;
      },
    ),
    { numRuns: RUNS },
  );
  expect(hits).toBeGreaterThanOrEqual(RUNS);
  expect(hooksHits).toBeGreaterThanOrEqual(RUNS);
});
