/** Our entries in Codex: approved by a person, in a project, beside others, and answered by the server. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { hookline } from '../flows/cli/program.ts';
import { trustInCodex } from '../flows/install/codex-trust.ts';
import type { Workspace } from '../support/workspace.ts';
import { codex } from './codex.ts';
import { GATES } from './project.ts';
import { runSession } from './session.ts';

const LIMIT = { timeout: 180_000 };
const { word, says } = GATES['HOOK.md'];
const turns = [codex().shell(`touch ran-${word}`)];

test('entries that nobody has approved are not run, and nobody is told', LIMIT, async () => {
  const session = await runSession(codex({ approved: false }), turns);
  expect(session.has(`ran-${word}`), session.output).toBe(true);
  expect(session.output).not.toMatch(/^hook:|trust|approve|review/im);
});

test('entries that were approved are run, and known by what they say', LIMIT, async () => {
  const session = await runSession(codex({ approved: false }), turns, { before: approve });
  expect(session.heard[1], session.output).toContain(says);
  expect(session.has(`ran-${word}`)).toBe(false);
});

test('entries in a project are run, unless Codex does not trust the project', LIMIT, async () => {
  const install = ['--scope', 'project'];
  const session = await runSession(codex(), turns, { install });
  expect(existsSync(session.workspace.at('.codex/hooks.json'))).toBe(true);
  expect(session.heard[1], session.output).toContain(says);
  const distrusted = await runSession(codex(), turns, {
    install,
    before: ({ root, at }) => appendFileSync(at('~/.codex/config.toml'), `\n[projects."${root}"]\ntrust_level = "untrusted"\n`),
  });
  expect(distrusted.has(`ran-${word}`), distrusted.output).toBe(true);
});

test('what stood in the file works beside our entries, and is as it was when they are gone', LIMIT, async () => {
  const own = '{"hooks":{ "PreToolUse" : [{"hooks":[{"type":"command","command":"touch own-hook-ran"}]}] } }';
  const session = await runSession(codex(), turns, { files: { '~/.codex/hooks.json': own } });
  expect([session.has(`ran-${word}`), session.has('own-hook-ran')], session.output).toEqual([false, true]);
  const log = await hookline(session.workspace, ['log', '--json', '--decision', 'deny']);
  expect(log.stdout).toContain(says);
  trustInCodex(session.workspace);
  expect((await hookline(session.workspace, ['doctor', '--canary'])).stdout).toContain('a deny comes back');
  expect((await hookline(session.workspace, ['uninstall', 'codex'])).exit).toBe(0);
  expect(readFileSync(session.workspace.at('~/.codex/hooks.json'), 'utf8')).toBe(own);
});

test('a server that runs already answers', LIMIT, async () => {
  const session = await runSession(codex(), turns, {
    async before(workspace) {
      onTestFinished(async () => void (await hookline(workspace, ['serve', 'stop'])));
      expect((await hookline(workspace, ['serve', '--background', '--idle', '60'])).exit).toBe(0);
    },
  });
  expect(session.heard[1], session.output).toContain(says);
  expect(JSON.parse((await hookline(session.workspace, ['serve', 'status', '--json'])).stdout).events).toBeGreaterThan(0);
});

/** As a person does in Codex: by the hash of an entry, under its file, its event and its place. */
function approve({ at }: Workspace): void {
  const file = at('~/.codex/hooks.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as Record<'hooks', Record<string, { hooks: Entry[] }[]>>;
  const approved = Object.entries(hooks).flatMap(([name, groups]) =>
    groups.flatMap((group, i) =>
      group.hooks.map(({ command, timeout = 600 }, j) => {
        const event = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
        const identity = { event_name: event, hooks: [{ async: false, command, timeout, type: 'command' }] };
        const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
        return `\n[hooks.state."${file}:${event}:${i}:${j}"]\ntrusted_hash = "sha256:${hash}"\n`;
      }),
    ),
  );
  appendFileSync(at('~/.codex/config.toml'), approved.join(''));
}

interface Entry {
  readonly command: string;
  readonly timeout?: number;
}
