// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Nothing here is run: the guard judges commands that would make Hookline act in place of a person. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SPECS } from '../../../../../src/cli/commands.ts';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const project = path.join(import.meta.dirname, '../../../../..');
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'own-program-')));
// Commands name it in quotes of all sorts, and the folder of a clone may have a space in its name.
symlinkSync(project, path.join(base, 'clone'));
const program = path.join(base, 'clone/bin/hookline.js');
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folders = { cwd: base, root: base, home: path.join(base, 'home') };
const decision = (command: string) => guardCommand(command, folders).decision;

/** Acts that need a person, in words that no other program has. */
const SETTLING = [
  'approvals approve mi3k',
  'approvals deny mi3k',
  'approvals withdraw mi3k',
  'approvals protect',
  'approvals unprotect',
  'approvals grants revoke g1',
  'trust add --yes',
  'trust remove x',
  'log prune --before 1s --yes',
  'serve stop',
];
const ACTS = [...SETTLING, 'uninstall claude-code', 'install codex', 'pause --for 1h', 'serve manual', 'trust lock'];
const READING = [
  'log',
  'log verify',
  'log export --format csv',
  'why x',
  'list',
  'check',
  'doctor',
  'trust list',
  'trust diff',
  'approvals',
  'approvals --all --json',
  'approvals show mi3k',
  'approvals grants',
  'approvals grants list',
  'approvals approve --help',
  'pause status',
  'serve status',
  'install codex --dry-run',
  "guard explain 'hookline approvals approve mi3k'",
];
const MEANS = [
  'hookline',
  '/usr/local/bin/hookline',
  `node ${program}`,
  'node "/opt/my tools/bin/hookline.js"',
  'node --no-warnings -r ./a.js bin/hookline.js',
];

describe.each(MEANS)('%s', (means) => {
  test.each(ACTS)('the guard objects to %s', (act) => expect(decision(`${means} ${act}`)).not.toBe('none'));
  test.each(READING)('the guard has nothing against %s', (act) => expect(decision(`${means} ${act}`)).toBe('none'));
});

/** `CALL` is the command, `LIST` its words in quotes. */
const WAYS = [
  'env -u CLAUDECODE CALL',
  'env -i HOME=/x PATH=/bin CALL',
  "script -qc 'CALL' /dev/null",
  'script -q /dev/null CALL',
  'setsid -w CALL',
  'nohup CALL &',
  'timeout 5 CALL',
  "tmux new -d 'CALL'",
  "tmux send-keys -t 0 'CALL' Enter",
  'screen -dm CALL',
  String.raw`screen -S x -X stuff 'CALL\n'`,
  "sh -c 'CALL'",
  'bash -lc "CALL"',
  "echo 'CALL' | at now",
  'systemd-run --user --pty CALL',
  "ssh -tt localhost 'CALL'",
  'sudo -u me CALL',
  "su me -c 'CALL'",
  'unshare -r CALL',
  'dtach -n /tmp/s CALL',
  'zellij run -- CALL',
  "asciinema rec -c 'CALL' x.cast",
  "xterm -e 'CALL'",
  'ttyd CALL',
  "expect -c 'spawn CALL; interact'",
  "python3 -c 'import pty; pty.spawn([LIST])'",
  "python3 -c 'import subprocess; subprocess.run([LIST])'",
  `python3 -c "import pexpect; pexpect.spawn('CALL')"`,
  `node -e "require('child_process').execSync('CALL')"`,
  `ruby -e 'require "pty"; PTY.spawn("CALL")'`,
  'alias h="CALL"\nh',
  'h() { CALL; }; h',
  'H="CALL"; $H',
  "echo 'CALL' | sh",
  "echo 'CALL' > x.sh; sh x.sh",
  "crontab - <<< '* * * * * CALL'",
  "make -f - <<'E'\nall:\n\tCALL\nE",
  'yes | CALL',
];
const NAMES = [
  'npx hookline',
  'npx -y hookline@latest',
  'npx -p hookline hookline',
  'npx --package=hookline -- hookline',
  'npm exec -- hookline',
  'npm x -y hookline',
  'pnpm dlx hookline',
  'pnpm exec hookline',
  'pnpm hookline',
  'yarn dlx hookline',
  'yarn hookline',
  'yarn run hookline',
  'bunx --bun hookline',
  'bun x hookline',
  `bun run ${program}`,
  'deno run -A npm:hookline',
  `deno run -A ${program}`,
  'corepack pnpm dlx hookline',
  'volta run hookline',
  'fnm exec hookline',
  './node_modules/.bin/hookline',
  '$(npm root -g)/hookline/bin/hookline.js',
  'node "$(which hookline)"',
  'node /opt/hookline/dist/cli/main.js',
  'hookline-hook',
  'hookline.cmd',
  'npm run hookline --',
  'yarn workspace x hookline',
  'node .',
  'cat bin/hookline.js | node -',
  'node --watch-path=x bin/hookline.js',
  'deno run --allow-all npm:hookline@0.4.0/hookline',
];
const filled = (way: string, call: string): string =>
  way.replace('CALL', call).replace(
    'LIST',
    call
      .split(' ')
      .map((word) => `"${word}"`)
      .join(', '),
  );

test.each(WAYS)('a call stays a call in: %s', (way) => {
  for (const call of ['hookline approvals approve mi3k', `node ${program} trust add --yes`, 'npx hookline uninstall codex'])
    expect(decision(filled(way, call)), call).not.toBe('none');
  for (const call of ['hookline approvals show mi3k', `node ${program} log`])
    expect(decision(filled(way, call)), call).toBe(decision(filled(way, 'ls -l x')));
});

test.each(NAMES)('the program may be called %s', (name) => {
  for (const act of SETTLING) expect(decision(`${name} ${act}`), act).not.toBe('none');
  expect(decision(`${name} approvals show mi3k`)).toBe('none');
});

test.each([
  `require('child_process').fork('${program}', ['approvals', 'approve', 'mi3k'])`,
  `require('child_process').execFileSync(process.execPath, ['${program}', 'trust', 'add'])`,
  "require('/x/dist/cli/main.js').main(['approvals', 'approve', 'mi3k'])",
  `process.argv.push('approvals', 'approve', 'mi3k'); require('${program}')`,
  "import('hookline').then(async ({ createHookline }) => (await createHookline()).resume('mi3k', { approve: true }))",
  "const { createHookline } = require('hookline'); createHookline().then((one) => one.tickets.settle('mi3k'))",
])('code that acts in place of a person: %s', (code) => {
  expect(decision(`node -e "${code}"`)).not.toBe('none');
  expect(decision(`node --input-type=module <<'E'\n${code}\nE`)).not.toBe('none');
});

test('words that settle are suspicious whatever the program is called', () => {
  for (const act of SETTLING) {
    expect(decision(`node /opt/any.js ${act}`), act).toBe('ask');
    expect(decision(`./any ${act}`), act).toBe('ask');
    expect(decision(`$any ${act}`), act).toBe('ask');
  }
  expect(decision('any approvals approve mi3k')).toBe('ask');
});

describe('a file whose real file is the program', () => {
  mkdirSync(path.join(base, 'copy/bin'), { recursive: true });
  cpSync(program, path.join(base, 'copy/bin/other.js'));
  cpSync(path.join(project, 'package.json'), path.join(base, 'copy/package.json'));
  symlinkSync(program, path.join(base, 'link.js'));
  symlinkSync(project, path.join(base, 'folder'));
  writeFileSync(path.join(base, 'stranger.js'), '');
  test.each(['node link.js', './link.js', `cd /; node ${base}/link.js`, 'node copy/bin/other.js', 'node folder/bin/code-cache.js'])(
    '%s',
    (call) => {
      for (const act of ACTS) expect(decision(`${call} ${act}`), act).not.toBe('none');
      expect(decision(`${call} approvals approve mi3k`)).toBe('deny');
      expect(decision(`${call} approvals show mi3k`)).toBe('none');
    },
  );
  test('another file is not', () => {
    for (const act of ['install', 'uninstall x', 'pause', 'log', 'trust list'])
      expect(decision(`node stranger.js ${act}`), act).toBe('none');
  });
  test('making one is an objection of its own', () => {
    for (const make of [
      `ln -s ${program} x`,
      `cp ${program} y.js`,
      'cp -r /usr/lib/node_modules/hookline /tmp/x',
      'mv node_modules/.bin/../hookline/bin x',
    ])
      expect(decision(make), make).not.toBe('none');
  });
});

test('the options of the command line do not hide its words', () => {
  for (const { name, value } of SPECS.flatMap(({ options }) => options)) {
    if (name === 'help') continue;
    expect(decision(`hookline approvals --${name}${value === undefined ? '' : ' x'} approve mi3k`), name).toBe('deny');
    expect(decision(`hookline approvals --${name}${value === undefined ? '' : ' x'} show mi3k`), name).toBe(
      /^trust-/.test(name) ? 'ask' : 'none',
    );
  }
});

test.each([
  'pkill hookline',
  "pkill -f 'hookline serve'",
  'kill $(pgrep -f hookline)',
  'pgrep -f hookline | xargs kill',
  'kill "$(cat ~/.local/state/hookline/serve/pid)"',
  "ps aux | grep '[h]ookline' | awk '{print $2}' | xargs kill -9",
  'fuser -k ~/.local/state/hookline/serve/socket',
  'systemctl --user stop hookline',
])('ending the server needs a person: %s', (command) => expect(decision(command)).not.toBe('none'));

test.each([
  'echo hookline approvals approve mi3k',
  'timeout 5 echo hookline trust add',
  "sh -c 'echo hookline trust add'",
  'grep -rn "hookline trust add" docs',
  "git commit -m 'docs: explain hookline approvals approve'",
  "npx vitest run -t 'approvals approve'",
  'npm install hookline',
  'npm ls hookline',
  'cp -r hookline /tmp/backup',
  'node server.js install',
  'node cli.js log',
  'kill $(cat server.pid)',
  'pgrep hookline',
  "cat > docs/x.md <<'E'\nRun `hookline approvals approve ID`.\nE",
  'python manage.py foo trust add',
  'npm test -- approvals',
  "vitest run -t 'hookline trust add'",
  `python3 -c "print('hookline approvals approve ID')"`,
  `node -e "import('hookline').then((all) => console.log(Object.keys(all)))"`,
])('ordinary work stays ordinary: %s', (command) => expect(decision(command)).toBe('none'));
