// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Trust covers every file that a hook runs, whichever way it runs it. */
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { reviewHooks } from '../../../src/cli/hooks/trust-review.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, trustAll, trustOf } from './trusted-project.ts';

/** Rows whose second file is known only at run time, so that a folder or the files on the same line stand for it. */
const UNKNOWN = /^sed s|KIND|^"\$CLAUDE_PROJECT_DIR"\/\.claude\/hooks\/run\.sh \S/;

type Files = Readonly<Record<string, string>>;

function settings(command: string): Files {
  return { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command }] }] } }) };
}

async function reviewed(workspace: Workspace) {
  const { hooks } = await reviewHooks({ agents: AGENTS, root: workspace.root, paths: [] }, trustOf(workspace));
  const [first] = hooks;
  if (!first) throw new Error('The project has no hook.');
  return first.review;
}

const SH = '#!/bin/sh\nexit 0\n';
/** A hook script in its own folder, which runs something. */
const script = (body: string): Files => ({ '.claude/hooks/run.sh': `#!/bin/sh\n${body}\n` });
const python = (body: string): Files => ({ '.claude/hooks/run.py': `${body}\n` });
const node = (body: string): Files => ({ '.claude/hooks/run.mjs': `${body}\n` });
const RUN_SH = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/run.sh';
const RUN_PY = 'python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/run.py';
const RUN_JS = 'node .claude/hooks/run.mjs';

/** What the hook runs, the files of the project, and the file that is changed (by default `tools/x`). */
const WAYS: readonly (readonly [command: string, files: Files, changed?: string])[] = [
  // Task runners.
  ['make lint', { Makefile: 'lint:\n\tsh tools/x\n' }],
  ['make lint', { Makefile: 'lint:\n\tsh tools/x\n' }, 'Makefile'],
  ['make', { Makefile: 'all: check\ncheck:\n\t@./tools/x a\n' }],
  ['make -C sub -f rules.mk lint', { 'sub/rules.mk': 'lint:\n\tsh ../tools/x\n' }],
  ['make -Csub lint', { 'sub/Makefile': 'DIR = ../tools\nlint:\n\tsh $(DIR)/x\n' }],
  ['make lint', { Makefile: 'include more.mk\n', 'more.mk': 'lint:\n\ttrue\n' }, 'more.mk'],
  ['make lint', { Makefile: '-include parts/*.mk\n', 'parts/a.mk': 'lint:\n\tsh tools/x\n' }],
  ['make lint', { Makefile: 'V := $(shell sh tools/x)\nlint:\n\ttrue\n' }],
  ['make lint', { Makefile: 'lint: ; sh tools/x\n' }],
  ['make lint', { Makefile: 'export PATH := ./tools:$(PATH)\nlint:\n\tx\n' }],
  ['cd sub && make lint', { 'sub/Makefile': 'lint:\n\tcd .. && \\\n\tsh tools/x\n' }],
  ['just lint', { justfile: 'lint: base\n    true\nbase:\n    sh tools/x\n' }],
  ['just lint', { justfile: 'lint:\n    #!/bin/sh\n    cd tools\n    . ./x\n' }],
  ['just lint', { justfile: "import 'more.just'\n", 'more.just': 'lint:\n    sh tools/x\n' }, 'more.just'],
  ['task lint', { 'Taskfile.yml': "version: '3'\ntasks:\n  lint:\n    cmds:\n      - sh tools/x\n" }],
  ['task lint', { 'Taskfile.yml': 'tasks:\n  lint:\n    cmds:\n      - cmd: |\n          true\n          sh tools/x\n' }],
  ['rake lint', { Rakefile: "task :lint do\n  sh 'tools/x'\n  system('sh', 'tools/x')\nend\n" }],
  ['npm run lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }],
  ['npm run lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }, 'package.json'],
  ['npm test', { 'package.json': '{"scripts":{"pretest":"sh tools/x","test":"true"}}' }],
  ['npm --prefix sub run -s lint', { 'sub/package.json': '{"scripts":{"lint":"sh ../tools/x"}}' }],
  ['cd "$(git rev-parse --show-toplevel)" && npm run lint', { 'package.json': '{"scripts":{"lint":"npm run deep","deep":"sh tools/x"}}' }],
  ['yarn lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }],
  ['yarn run lint', { 'package.json': '{"scripts":{"lint":"sh tools/x","postlint":"true"}}' }],
  ['pnpm run lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }],
  ['pnpm -s lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }],
  ['bun run lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }],
  ['node --run lint', { 'package.json': '{"scripts":{"lint":"sh tools/x"}}' }],
  ['npm run lint', { 'package.json': '{"scripts":{"lint":"check"}}', 'node_modules/.bin/check': SH }, 'node_modules/.bin/check'],
  ['npx check', { 'node_modules/.bin/check': '#!/usr/bin/env node\n' }, 'node_modules/.bin/check'],
  ['npx --no-install check .', { 'node_modules/.bin/check': SH }, 'node_modules/.bin/check'],

  // Standard input, pipes and substitution.
  ['sh < tools/x', {}],
  ['bash -s a b < tools/x', {}],
  ['cat tools/x | sh', {}],
  ['cat tools/x | tee /dev/null | bash', {}],
  ['sed s/a/b/ tools/x | sh', {}],
  ['bash -c "$(cat tools/x)"', {}],
  ['bash -c "$(<tools/x)"', {}],
  ['eval "$(cat tools/x)"', {}],
  ['eval "`cat tools/x`"', {}],
  ['source <(cat tools/x)', {}],
  ['code=$(cat tools/x); eval "$code"', {}],
  ['{ echo set -e; cat tools/x; } | sh', {}],
  ['python3 < tools/x', {}],
  ['cat tools/x | python3 -', {}],
  ['python3 -c "$(cat tools/x)"', {}],
  ['xargs -a list sh', { list: 'tools/x\n' }],
  ['cat list | xargs -n1 sh', { list: 'tools/x\n' }],
  ['while read -r f; do sh "$f"; done < list', { list: 'tools/x\n' }],

  // Globs and searches.
  ['. ./tools/*', {}],
  ['for f in tools/*.sh; do . "$f"; done', { 'tools/a.sh': 'true\n' }, 'tools/a.sh'],
  ['for f in tools/*.sh; do . "$f"; done', { 'tools/a.sh': 'true\n' }, 'tools/new.sh'],
  ["find tools -name 'x*' -exec sh {} \\;", {}],
  ['find tools -type f | xargs sh', {}],
  ['find ./tools -type f -print0 | xargs -0 -n1 sh', {}],
  ['run-parts tools', {}],
  ['sh "tools/$KIND.sh"', { 'tools/a.sh': SH }, 'tools/a.sh'],
  ['parallel sh ::: tools/x', {}],

  // Wrappers, links and the search path.
  ['timeout 5 ./tools/x', {}],
  ['nice -n 5 sh tools/x', {}],
  ['exec ./tools/x', {}],
  ['env A=b ./tools/x', {}],
  ['PATH=./tools:$PATH x', {}],
  ['env PATH="$PWD/tools:$PATH" x', {}],
  ['export PATH="$CLAUDE_PROJECT_DIR/tools:$PATH"; x', {}],
  ['PATH=tools:$PATH; x a', {}],
  [RUN_SH, script('PATH="$(dirname "$0")/bin:$PATH"\nexport PATH\nx'), '.claude/hooks/bin/x'],
  [RUN_SH, script('cd tools && ./x')],
  [RUN_SH, script('cd "$(dirname "$0")"\n../../tools/x')],
  [`${RUN_SH} ./tools/x`, script('exec "$@"')],
  [`${RUN_SH} tools/x`, script('sh "$1"')],
  ['./tools/y', { 'tools/y': '#!./tools/x\n' }],
  ['bash --rcfile tools/x -i -c true', {}],
  ['BASH_ENV=tools/x bash -c true', {}],
  ['sed -f tools/x README', {}],
  ['sed -nf tools/x README', {}],
  ['awk -f tools/x README', {}],
  ['jq -f tools/x', {}],

  // Python.
  ['python3 -m pkg.mod', { 'pkg/mod.py': '' }, 'pkg/mod.py'],
  ['python3 -m pkg', { 'pkg/__main__.py': 'from pkg import part\n', 'pkg/part.py': '' }, 'pkg/part.py'],
  ['python3 -m pkg.mod', { 'pkg/__init__.py': '', 'pkg/mod.py': '' }, 'pkg/__init__.py'],
  ['python3 tools/app', { 'tools/app/__main__.py': '' }, 'tools/app/__main__.py'],
  ['PYTHONPATH=lib python3 -m check', { 'lib/check.py': '' }, 'lib/check.py'],
  ['python3 -c "import check"', { 'check.py': '' }, 'check.py'],
  ['python3 - <<EOF\nexec(open("tools/x").read())\nEOF', {}],
  ['uv run tools/x.py', { 'tools/x.py': '' }, 'tools/x.py'],
  ['poetry run python tools/x.py', { 'tools/x.py': '' }, 'tools/x.py'],
  [RUN_PY, python('import importlib\nm = importlib.import_module("rules")'), '.claude/hooks/rules.py'],
  [RUN_PY, python('m = __import__("rules")'), '.claude/hooks/rules.py'],
  [RUN_PY, python('import runpy\nrunpy.run_path("tools/x")')],
  [RUN_PY, python('exec(open("tools/x").read())')],
  [RUN_PY, python('from pathlib import Path\nexec(compile(Path("tools/x").read_text(), "x", "exec"))')],
  [RUN_PY, python('import subprocess\nsubprocess.run(["sh", "tools/x"], check=True)')],
  [RUN_PY, python('import subprocess\nsubprocess.Popen(args=["sh", "tools/x"])')],
  [RUN_PY, python('import subprocess\nCMD = [\n  "bash",\n  "tools/x",\n]\nsubprocess.check_output(CMD)')],
  [RUN_PY, python('import subprocess, sys\nsubprocess.run([sys.executable, "tools/x.py"])'), 'tools/x.py'],
  [RUN_PY, python('import os\nos.execv("/bin/sh", ["sh", "tools/x"])')],
  [RUN_PY, python('import os\nos.system("sh tools/x")')],
  [
    RUN_PY,
    python('import os, subprocess\nHERE = os.path.dirname(os.path.abspath(__file__))\nsubprocess.run([os.path.join(HERE, "lib", "x.sh")])'),
    '.claude/hooks/lib/x.sh',
  ],
  [
    RUN_PY,
    python(
      'import subprocess\nfrom pathlib import Path\nTOOL = Path(__file__).parent.parent.parent / "tools" / "x"\nsubprocess.run([str(TOOL)])',
    ),
  ],
  [RUN_PY, python('import subprocess\nsubprocess.run(["make", "lint"])'), 'Makefile'],
  [
    RUN_PY,
    python('import sys, os\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))\nimport rules'),
    '.claude/lib/rules.py',
  ],
  [RUN_PY, python('import importlib.util as u\ns = u.spec_from_file_location("x", "tools/x")')],
  [RUN_PY, python('from helpers import rules'), '.claude/hooks/helpers/rules.py'],

  // JavaScript.
  [RUN_JS, node('await import("./x.mjs");'), '.claude/hooks/x.mjs'],
  [RUN_JS, node('import check from "check";'), 'node_modules/check/index.js'],
  [RUN_JS, node('import "check/deep.js";'), 'node_modules/check/lib/other.js'],
  [RUN_JS, node('import "@a/check";'), 'node_modules/@a/check/package.json'],
  [RUN_JS, node('import { execFileSync } from "node:child_process";\nexecFileSync("./tools/x");')],
  [RUN_JS, node('import { spawn } from "node:child_process";\nspawn("sh", ["tools/x"], { stdio: "inherit" });')],
  [RUN_JS, node('import cp from "node:child_process";\ncp.fork("./tools/x.js");'), 'tools/x.js'],
  [RUN_JS, node('import { Worker } from "node:worker_threads";\nnew Worker(new URL("./x.mjs", import.meta.url));'), '.claude/hooks/x.mjs'],
  [
    RUN_JS,
    node(
      'import { join } from "node:path";\nimport { execFileSync } from "node:child_process";\nconst tool = join(import.meta.dirname, "bin", "x");\nexecFileSync(tool);',
    ),
    '.claude/hooks/bin/x',
  ],
  [RUN_JS, node('import vm from "node:vm";\nimport fs from "node:fs";\nvm.runInThisContext(fs.readFileSync("tools/x", "utf8"));')],
  ['node .', { 'package.json': '{"main":"lib/start.js"}', 'lib/start.js': '' }, 'lib/start.js'],
  ['node tools/app', { 'tools/app/index.js': '' }, 'tools/app/index.js'],
  ['node -r ./tools/x.js y.js', { 'y.js': '', 'tools/x.js': '' }, 'tools/x.js'],
  ['node --require=./tools/x.js y.js', { 'y.js': '', 'tools/x.js': '' }, 'tools/x.js'],
  ['node --import ./tools/x.mjs y.js', { 'y.js': '', 'tools/x.mjs': '' }, 'tools/x.mjs'],
  ['node --loader ./tools/x.mjs y.js', { 'y.js': '', 'tools/x.mjs': '' }, 'tools/x.mjs'],
  ['NODE_OPTIONS="--require ./tools/x.js" node y.js', { 'y.js': '', 'tools/x.js': '' }, 'tools/x.js'],
  ['node -e "require(\'./tools/x.js\')"', { 'tools/x.js': '' }, 'tools/x.js'],
  ['node -e "import(\'./tools/x.mjs\')"', { 'tools/x.mjs': '' }, 'tools/x.mjs'],
  ['tsx tools/x.ts', { 'tools/x.ts': '' }, 'tools/x.ts'],
  ['ts-node tools/x.ts', { 'tools/x.ts': '' }, 'tools/x.ts'],
  ['deno run -A tools/x.ts', { 'tools/x.ts': 'import "./y.ts";\n', 'tools/y.ts': '' }, 'tools/y.ts'],
  ['bun tools/x.ts', { 'tools/x.ts': '' }, 'tools/x.ts'],

  // Other languages.
  ['perl -Itools -Mcheck -e 1', { 'tools/check.pm': '1;' }, 'tools/check.pm'],
  ['perl run.pl', { 'run.pl': 'use lib "lib";\nuse Check::Rules;\n', 'lib/Check/Rules.pm': '1;' }, 'lib/Check/Rules.pm'],
  ['perl run.pl', { 'run.pl': 'do "./tools/x";\n' }],
  ['perl run.pl', { 'run.pl': 'system("sh", "tools/x");\n' }],
  ['ruby -r./tools/x.rb y.rb', { 'y.rb': '', 'tools/x.rb': '' }, 'tools/x.rb'],
  ['ruby -r./tools/x y.rb', { 'y.rb': '', 'tools/x.rb': '' }, 'tools/x.rb'],
  ['ruby y.rb', { 'y.rb': "require_relative 'tools/x'\n", 'tools/x.rb': '' }, 'tools/x.rb'],
  ['ruby y.rb', { 'y.rb': '`sh tools/x`\n' }],
  ['php y.php', { 'y.php': "<?php include __DIR__ . '/tools/x.php';\n", 'tools/x.php': '' }, 'tools/x.php'],
  ['php y.php', { 'y.php': "<?php exec('sh tools/x');\n" }],
  ['lua y.lua', { 'y.lua': 'dofile("tools/x")\n' }],
];

/** Files that several rows need. */
const COMMON: Files = {
  'tools/x': SH,
  README: 'text\n',
  '.claude/hooks/bin/x': SH,
  '.claude/hooks/lib/x.sh': SH,
  '.claude/hooks/x.mjs': '',
  '.claude/hooks/rules.py': '',
  '.claude/hooks/helpers/rules.py': '',
  '.claude/lib/rules.py': '',
  'node_modules/check/package.json': '{"name":"check","main":"index.js"}',
  'node_modules/check/index.js': 'require("./lib/other.js");\n',
  'node_modules/check/deep.js': '',
  'node_modules/check/lib/other.js': '',
  'node_modules/@a/check/package.json': '{"name":"@a/check"}',
};
const LATER: Files = { 'tools/x.py': '', 'tools/x.js': '', Makefile: 'lint:\n\ttrue\n' };

describe('a hook whose second file changes is modified, and does not run', () => {
  test.each(WAYS.map(([command, files, changed = 'tools/x'], index) => [index, command, files, changed] as const))(
    '%i: %s',
    async (_, command, files, changed) => {
      const later = LATER[changed] === undefined ? {} : { [changed]: LATER[changed] ?? '' };
      const workspace = createWorkspace({ ...COMMON, ...later, ...files, ...settings(command) });
      await trustAll(workspace);
      const before = await reviewed(workspace);
      expect(before).toMatchObject({ trust: 'trusted' });
      expect(before.covers.unknown.length > 0).toBe(UNKNOWN.test(command));
      workspace.write({ [changed]: '#!/bin/sh\necho changed\n' });
      expect(await reviewed(workspace)).toMatchObject({ trust: 'modified' });
      const hookline = await workspace.open({ trust: 'ask' });
      expect(await hookline.fire('tool.before', BASH)).toMatchObject({
        decision: 'deny',
        hooks: [{ status: 'skipped', skip: 'modified since it was trusted' }],
      });
    },
  );
});
