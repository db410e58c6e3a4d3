// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** What trust cannot know is said, and a whole folder stands for it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { reviewHooks } from '../../../src/cli/hooks/trust-review.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline as run } from '../cli/program.ts';
import { BASH, trustOf } from './trusted-project.ts';

type Files = Readonly<Record<string, string>>;

const RUN = '.claude/hooks/run.sh';

function settings(command: string): Files {
  return { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command }] }] } }) };
}

function scripted(body: string, name = RUN): Files {
  const runs = name.endsWith('.sh') ? `"$CLAUDE_PROJECT_DIR"/${name}` : `${name.endsWith('.py') ? 'python3' : 'node'} ${name}`;
  return { ...settings(runs), [name]: name.endsWith('.sh') ? `#!/bin/sh\n${body}\n` : `${body}\n` };
}

async function review(workspace: Workspace) {
  const { hooks } = await reviewHooks(
    { agents: AGENTS, root: workspace.root, settingsHome: workspace.home, paths: [] },
    trustOf(workspace),
  );
  const [first] = hooks;
  if (!first) throw new Error('The project has no hook.');
  return first.review;
}

const PY = '.claude/hooks/run.py';
const JS = '.claude/hooks/run.mjs';
const UNKNOWN: readonly (readonly [body: string, name: string, line: number, what: RegExp])[] = [
  ['\neval "$X"', RUN, 3, /^eval ‹\?›$/],
  ['true\n$TOOL --check', RUN, 3, /^‹\?› --check$/],
  ['exec "$@"', RUN, 2, /^‹\?›$/],
  ['. "$FILE"', RUN, 2, /^\. ‹\?›$/],
  ['jq -r .code | sh', RUN, 2, /^jq … \| sh$/],
  ['sh -c "$(jq -r .code)"', RUN, 2, /^sh -c ‹\?›$/],
  ['python3 "$SCRIPT"', RUN, 2, /^python3 ‹\?›$/],
  ['npm run "$TASK"', RUN, 2, /^npm run ‹\?›$/],
  ['make "$TASK"', RUN, 2, /^make ‹\?›$/],
  ['PATH="$X/bin:$PATH" check', RUN, 2, /^PATH=‹\?›\/bin$/],
  ['pytest -q', RUN, 2, /^pytest -q$/],
  ['docker run -v "$PWD:/w" image', RUN, 2, /^docker run/],
  ['import importlib, sys\nimportlib.import_module(sys.argv[1])', PY, 2, /^import_module\(sys\.argv\[1\]\)$/],
  ['import subprocess, os\nsubprocess.run(os.environ["TOOL"])', PY, 2, /^subprocess\.run\(/],
  ['import sys\n\nexec(sys.stdin.read())', PY, 3, /^exec\(sys\.stdin\.read\(\)\)$/],
  ['import subprocess\ndef go(cmd):\n  subprocess.run(cmd, shell=True)', PY, 3, /^subprocess\.run\(cmd, shell=True\)$/],
  [
    'const { createRequire } = await import("node:module");\nconst require = createRequire(import.meta.url);\nrequire(process.argv[2]);',
    JS,
    3,
    /^require\(process\.argv\[2\]\)$/,
  ],
  ['for (const f of list) await import(f);', JS, 1, /^import\(f\)$/],
  ['import { execSync } from "node:child_process";\nexecSync(`sh ${process.env.X}`);', JS, 2, /^execSync\(/],
];

describe('a part that is known only at run time is said with its line, and covers every file of its folder', () => {
  test.each(UNKNOWN)('%s (%s)', async (body, name, line, what) => {
    const workspace = createWorkspace({ ...scripted(body, name), '.claude/hooks/other.txt': 'a', 'src/main.ts': '' });
    const { covers, digest, files } = await review(workspace);
    const folder = workspace.at('.claude/hooks');
    expect(covers.folders).toEqual([folder]);
    expect(covers.unknown).toContainEqual(
      expect.objectContaining({ file: workspace.at(name), line, what: expect.stringMatching(what), folder }),
    );
    expect(files).toContain(workspace.at('.claude/hooks/other.txt'));
    expect(files).not.toContain(workspace.at('src/main.ts'));
    workspace.write({ '.claude/hooks/deep/new.txt': 'b' });
    expect((await review(workspace)).digest).not.toBe(digest);
  });
});

const KNOWN: readonly (readonly [body: string, name: string])[] = [
  ['input=$(cat)\nf=$(echo "$input" | jq -r .tool_input.file_path)\ncase "$f" in *.env) exit 2;; esac\ngit diff --quiet -- "$f"', RUN],
  ['# eval "$X" and sh "$Y"\necho \'eval "$X"\'\ngrep -q "exec $1" README', RUN],
  [
    'import re, json, sys, subprocess\nPATTERN = re.compile("exec(x)")  # exec(open(x))\nd = json.load(sys.stdin)\nsubprocess.run(["git", "diff", d["file"]], check=False)\nprint("eval(x)")',
    PY,
  ],
  [
    'import { execFileSync } from "node:child_process";\nconst m = /a/.exec(text);\nexecFileSync("git", ["diff", file]);\n// require(x)\nconst s = "import(x)";',
    JS,
  ],
];

test.each(KNOWN)('a hook that runs nothing else has no unknown part, and data that it names is not covered: %s', async (body, name) => {
  const workspace = createWorkspace({ ...scripted(body, name), README: 'a', 'src/main.ts': '' });
  expect(await review(workspace)).toMatchObject({
    covers: { files: [workspace.at(name)], folders: [], leftOut: [], unknown: [] },
    files: [workspace.at(name)],
  });
});

test('the project, its home and the folder of settings are never covered whole: this is said', async () => {
  for (const [command, files] of [
    ['eval "$X"', {}],
    ['./run.sh', { 'run.sh': '#!/bin/sh\neval "$X"\n' }],
    ['.claude/run.sh', { '.claude/run.sh': '#!/bin/sh\neval "$X"\n' }],
    ['sh "$PWD/$X"', {}],
    ['sh "/opt/$X"', {}],
  ] as const) {
    const workspace = createWorkspace({ ...settings(command), ...files });
    const { covers } = await review(workspace);
    expect(covers.folders).toEqual([]);
    expect(covers.unknown.length).toBeGreaterThan(0);
    for (const one of covers.unknown) expect(one).not.toHaveProperty('folder');
  }
});

test('a folder hook with an unknown part covers its own folder', async () => {
  const workspace = createWorkspace({
    '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nsh "$(ls -d ../rules | head -1)"\n',
    '.agents/hooks/gate/rules/a': 'x',
  });
  const { covers, files } = await review(workspace);
  expect(covers.folders).toEqual([workspace.at('.agents/hooks/gate')]);
  expect(files).toContain(workspace.at('.agents/hooks/gate/rules/a'));
});

test('a folder with too many files is not covered, and the limit is named', async () => {
  const workspace = createWorkspace(scripted('eval "$X"'));
  mkdirSync(workspace.at('.claude/hooks/data'));
  for (let i = 0; i < 2001; i++) writeFileSync(workspace.at(`.claude/hooks/data/${i}`), '');
  const { covers } = await review(workspace);
  expect(covers.folders).toEqual([]);
  expect(covers.unknown).toMatchObject([{ what: 'eval ‹?›', why: expect.stringContaining('more than 2000 files') }]);
});

test('a pattern that stands for too many files is said with its line', async () => {
  const workspace = createWorkspace(scripted(`sh "./${'{a,b}'.repeat(40)}"`));
  const { covers } = await review(workspace);
  expect(covers.unknown).toMatchObject([{ why: 'the pattern stands for too many files', line: expect.any(Number) }]);
});

test('variables of a makefile that name each other again and again are put in up to a limit', async () => {
  const twenty = (name: string): string => Array(20).fill(`$(${name})`).join(' ');
  const lines = Array.from({ length: 9 }, (_, i) => `A${i + 1} = ${twenty(`A${i}`)}`);
  const workspace = createWorkspace({ ...scripted('make all'), Makefile: ['A0 = echo hi', ...lines, 'all:', '\t$(A9)', ''].join('\n') });
  expect((await review(workspace)).files).toContain(workspace.at('Makefile'));
});

test('caches are left out of a covered folder: the common ones, and those that the settings of the user name', async () => {
  const workspace = createWorkspace({
    ...scripted('eval "$X"'),
    '~/.config/hookline/settings.json': JSON.stringify({ trust: { ignores: ['*.log', '.claude/hooks/state/**'] } }),
  });
  const { digest, covers } = await review(workspace);
  expect(covers.leftOut).toEqual(expect.arrayContaining(['__pycache__', '*.pyc', '.git', '*.log', '.claude/hooks/state/**']));
  const cache = { '.claude/hooks/__pycache__/a.pyc': 'x', '.claude/hooks/a.log': 'x', '.claude/hooks/state/deep/b': 'x' };
  workspace.write(cache);
  expect((await review(workspace)).digest).toBe(digest);
  workspace.write({ '.claude/hooks/state.sh': 'x' });
  expect((await review(workspace)).digest).not.toBe(digest);
});

test('what the settings leave out is left out when the hook runs, too', async () => {
  const workspace = createWorkspace({
    ...scripted('echo x >> "$CLAUDE_PROJECT_DIR/.claude/hooks/a.log"\neval "$X"\necho closed >&2\nexit 2'),
    '~/.config/hookline/settings.json': JSON.stringify({ trust: { ignores: ['*.log'] }, approvals: { unattended: true } }),
  });
  const added = await run(workspace, ['trust', 'add', '--yes', '--json']);
  expect(JSON.parse(added.stdout).added).toHaveLength(1);
  const hookline = await workspace.open({ trust: 'ask' });
  for (let i = 0; i < 2; i++) expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'closed' });
});

test('the command says what is not covered, in text and in JSON', async () => {
  const workspace = createWorkspace(scripted('true\neval "$X"'));
  const { stdout } = await run(workspace, ['trust', 'list']);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /folders .*\.claude\/hooks: 1 file .*without __pycache__.*unknown eval ‹\?›: the code is known only at run time \(covered by every file of .*\.claude\/hooks\) .*run\.sh:3/,
  );
  for (const [command, at] of [['trust', 'list'], ['audit']].map((words) => [words, words[0]] as const)) {
    const { stdout: json } = await run(workspace, [...command, '--json']);
    const [hook] = JSON.parse(json).hooks;
    expect([at, hook.covers]).toMatchObject([
      at,
      { files: [workspace.at(RUN)], folders: [workspace.at('.claude/hooks')], unknown: [{ line: 3, what: 'eval ‹?›' }] },
    ]);
  }
});

describe('links', () => {
  const gate = { '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n' };
  const linked = (workspace: Workspace, from: string, to: string): void => {
    mkdirSync(path.dirname(workspace.at(from)), { recursive: true });
    symlinkSync(path.isAbsolute(to) ? to : path.relative(path.dirname(workspace.at(from)), workspace.at(to)), workspace.at(from));
  };

  test('a link to a file of the same project is followed like the file, and its change ends the trust', async () => {
    const workspace = createWorkspace({
      ...gate,
      'tools/run.sh': '#!/bin/sh\n. "$(dirname "$(readlink -f "$0")")/lib.sh"\n',
      'tools/lib.sh': 'true\n',
    });
    linked(workspace, '.agents/hooks/gate/scripts/run.sh', 'tools/run.sh');
    const before = await review(workspace);
    expect(before.findings.map(({ rule }) => rule)).not.toContain('link-leaves-folder');
    expect(before.keptOut).toBe(false);
    workspace.write({ 'tools/run.sh': '#!/bin/sh\nexit 0\n' });
    expect((await review(workspace)).digest).not.toBe(before.digest);
  });

  test('a program behind a link loads the files next to the program', async () => {
    const workspace = createWorkspace({ ...settings('node .claude/x.mjs'), 'tools/x.mjs': 'import "./y.mjs";\n', 'tools/y.mjs': '' });
    linked(workspace, '.claude/x.mjs', 'tools/x.mjs');
    expect((await review(workspace)).files).toContain(workspace.at('tools/y.mjs'));
  });

  test('a link that leads out of the project is still named', async () => {
    const workspace = createWorkspace({ ...gate, '~/run.sh': '#!/bin/sh\nexit 0\n' });
    linked(workspace, '.agents/hooks/gate/scripts/run.sh', workspace.at('~/run.sh'));
    const found = await review(workspace);
    expect(found.findings.map(({ rule }) => rule)).toContain('link-leaves-folder');
  });
});
