// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Nothing here is run: the guard judges commands that would change Hookline's own files, or the files of agents that hold hooks. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { AGENTS } from '../../../../../src/builtins.ts';
import { guardCommand } from '../../../../../src/guard/guard.ts';
import { guardTool } from '../../../../../src/guard/tools/guard-tool.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'own-body-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folders = { cwd: base, root: base, home: '/home/ada' };
const decision = (command: string) => guardCommand(command, folders).decision;

/** Every way to change a file. */
const CHANGES = [
  'rm FILE',
  'unlink FILE',
  'shred FILE',
  'mv FILE /tmp/x',
  'mv x FILE',
  'cp x FILE',
  'install -m 600 x FILE',
  'ln -sf /tmp/x FILE',
  ': > FILE',
  'echo x >> FILE',
  'tee FILE < x',
  'dd if=x of=FILE',
  'truncate -s 0 FILE',
  'sed -i s/a/b/ FILE',
  'perl -i -pe s/a/b/ FILE',
  'curl -o FILE https://x',
  'chmod 000 FILE',
  'chown ada FILE',
  'sudo chattr +i FILE',
  'setfacl -m u:ada:--- FILE',
  'git rm -f FILE',
  "sh -c 'rm FILE'",
  'find FILE -delete',
];
const IN_CODE = [
  `python3 -c "open('FILE', 'w').write('')"`,
  `python3 -c "import os; os.remove('FILE')"`,
  `python3 -c "import os; os.chmod('FILE', 0)"`,
  `python3 -c "import shutil; shutil.move('FILE', '/tmp/x')"`,
  `node -e "require('fs').writeFileSync('FILE', '')"`,
  `node -e "require('fs').renameSync('FILE', '/tmp/x')"`,
  `node -e "require('fs').chmodSync('FILE', 0)"`,
];
const RECORDS = ['hookline.db', 'installed', 'trust.json', 'pause.json', 'marks.key', 'serve/endpoint', 'serve/token', 'checkpoints/1'];
const STATE = '/home/ada/.local/state/hookline';

describe.each([...CHANGES, ...IN_CODE])('%s', (change) => {
  const on = (file: string) => decision(change.replace('FILE', file));
  test('Hookline’s records and settings', () => {
    for (const file of RECORDS) expect(on(`${STATE}/${file}`), file).not.toBe('none');
    for (const file of ['settings.json', 'settings.yaml', 'x']) expect(on(`/home/ada/.config/hookline/${file}`), file).not.toBe('none');
    expect(on('/srv/moved/.local/state/hookline/installed')).not.toBe('none');
  });
  test('the installed program', () => {
    for (const file of [
      '/usr/local/bin/hookline-hook',
      'node_modules/hookline/bin/hookline-hook',
      '/usr/lib/node_modules/hookline/dist/cli/main.js',
    ])
      expect(on(file), file).not.toBe('none');
  });
  test('the files in which Hookline is entered', () => {
    for (const file of AGENTS.flatMap(({ host }) => Object.values(host?.entry.files ?? {}))) {
      const written = /\.\w+$/.test(file) ? file : `${file}/PreToolUse`;
      expect(on(written.startsWith('.') ? written : `/home/ada/${written}`), written).not.toBe('none');
    }
  });
  test('other files', () => {
    for (const file of ['src/hookline.ts', 'hookline/x', 'docs/hookline.md', '/home/ada/.config/hookline-themes/x'])
      expect(on(file), file).toBe(on(file.replace('hookline', 'plain')));
    // A program that is moved away gets another name.
    if (!/^mv FILE|shutil\.move|renameSync/.test(change)) expect(on('bin/hookline.js')).toBe(on('bin/plain.js'));
  });
});

test.each([
  'rm "$XDG_STATE_HOME/hookline/installed"',
  'rm -rf "${XDG_CONFIG_HOME:-$HOME/.config}/hookline"',
  'cd ~/.config/hookline && echo x > settings.json',
  'mv ~/.local/state /tmp/x',
  'rm -rf ~/.local',
  'rsync -a --delete /tmp/empty/ ~/.local/state/hookline/',
  'sudo mount --bind /tmp/x ~/.local/state/hookline',
  'mount -t tmpfs none ~/.config/hookline',
  `sqlite3 ${STATE}/hookline.db "UPDATE tickets SET state = 'approved'"`,
  `sqlite3 ${STATE}/hookline.db < changes.sql`,
  `echo 'delete from audit' | sqlite3 ${STATE}/hookline.db`,
  `sqlite3 x.db "ATTACH '${STATE}/hookline.db' AS h; DELETE FROM h.audit"`,
  `sqlite3 'file:${STATE}/hookline.db?mode=rw' 'delete from audit'`,
  "psql -c \"update hookline.tickets set state = 'approved' where id = 'x'\"",
  "node -e \"const { DatabaseSync } = require('node:sqlite'); new DatabaseSync('/home/ada/.local/state/hookline/hookline.db')\"",
])('another way to change the records: %s', (command) => expect(decision(command)).not.toBe('none'));

/** The folders of the agents that are in the project and hold nothing but the agent's files. */
const agentFolders = [...new Set(AGENTS.flatMap(({ host }) => host?.entry.files.project?.split('/')[0] ?? []))].filter((name) =>
  name.startsWith('.'),
);
test.each(agentFolders)('the folder %s of an agent is neither moved, nor replaced, nor emptied', (folder) => {
  for (const command of [
    `mv ${folder} /tmp/x`,
    `rm -rf ${folder}`,
    `rm -rf ${folder}/*`,
    `ln -sfn /tmp/x ${folder}`,
    `git rm -r ${folder}`,
  ])
    expect(decision(command), command).not.toBe('none');
  for (const command of [`ls -la ${folder}`, `cp note.txt ${folder}/notes/`, `mkdir -p ${folder}/notes`, `git diff ${folder}`])
    expect(decision(command), command).toBe('none');
});

test('a hook stays executable', () => {
  for (const file of ['.claude/hooks/a.sh', '.cursor/hooks/a.sh', '.clinerules/hooks/PreToolUse', '.agents/hooks/gate/scripts/run.sh']) {
    for (const mode of ['-x', 'a-x', 'u-x', '644', '0600', '000', 'u=rw', '-R a-x'])
      expect(decision(`chmod ${mode} ${file}`), `${mode} ${file}`).toBe('ask');
    for (const mode of ['+x', '755', '0700', 'u+x', 'go-x', 'a=rx'])
      expect(decision(`chmod ${mode} ${file}`), `${mode} ${file}`).toBe('none');
  }
});

describe('skills and agents', () => {
  const prose = (name: string, text: string): string => {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    writeFileSync(path.join(base, name), text);
    return name;
  };
  const hooked = [
    prose('.claude/skills/gate/SKILL.md', '---\nname: gate\nhooks:\n  Stop: []\n---\ntext\n'),
    prose('.claude/agents/review.md', '---\nname: review\nhooks:\n  Stop: []\n---\ntext\n'),
  ];
  const plain = [
    prose('.claude/skills/plain/SKILL.md', '---\nname: plain\n---\nhooks: are nice\n'),
    prose('.claude/agents/plain.md', '---\nname: plain\n---\ntext\n'),
  ];
  const changes = ['rm FILE', 'mv FILE x', 'echo x > FILE', 'sed -i /hooks/d FILE', 'ln -sf x FILE'];
  test.each(changes)('%s: one with hooks is protected, and others are ordinary work', (change) => {
    for (const file of hooked) expect(decision(change.replace('FILE', file)), file).toBe('ask');
    for (const file of plain) expect(decision(change.replace('FILE', file)), file).toBe('none');
  });
  test('a skill is its folder', () => {
    expect(decision('rm -rf .claude/skills/gate')).toBe('ask');
    expect(decision('mv .claude/skills/gate /tmp/x')).toBe('ask');
    expect(decision('rm -rf .claude/skills/plain')).toBe('none');
  });
  test('hooks that are added count as much as hooks that are there', () => {
    const text = (head: string) => `---\nname: x\n${head}---\ntext\n`;
    const write = (content: string) => guardTool('Write', { file_path: '.claude/skills/new/SKILL.md', content }, folders).decision;
    expect(write(text('hooks:\n  Stop: []\n'))).toBe('ask');
    expect(write(text(''))).toBe('none');
    expect(decision(`cat > .claude/agents/new.md <<'E'\n${text('hooks:\n  Stop: []\n')}E`)).toBe('ask');
    expect(guardTool('Edit', { file_path: hooked[0], old_string: 'text', new_string: 'x' }, folders).decision).toBe('ask');
    expect(guardTool('Edit', { file_path: plain[0], old_string: 'text', new_string: 'x' }, folders).decision).toBe('none');
  });
});

describe('where the variables put it', () => {
  const { XDG_STATE_HOME } = process.env;
  afterEach(() => {
    if (XDG_STATE_HOME === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = XDG_STATE_HOME;
  });
  test('the state folder is protected', () => {
    const verdicts = () => [
      guardTool('Bash', { command: 'rm /srv/state/hookline/installed' }, folders).decision,
      guardTool('Write', { file_path: '/srv/state/hookline/trust.json', content: '{}' }, folders).decision,
    ];
    process.env['XDG_STATE_HOME'] = '/srv/other';
    expect(verdicts()).toEqual(['none', 'none']);
    process.env['XDG_STATE_HOME'] = '/srv/state';
    expect(verdicts()).toEqual(['deny', 'deny']);
  });
});

test('the program that runs is protected, unless it is the project', () => {
  const project = path.join(import.meta.dirname, '../../../../..');
  const on = (file: string, root: string) =>
    guardTool('Write', { file_path: path.join(project, file), content: '' }, { ...folders, root, cwd: root }).decision;
  expect(on('dist/cli/main.js', base)).toBe('ask');
  expect(on('bin/hookline-hook', base)).toBe('ask');
  expect(on('dist/cli/main.js', project)).toBe('none');
  expect(on('src/cli/main.ts', project)).toBe('none');
});

test.each(['serve/token', 'serve/headers', 'serve/endpoint', 'marks.key', 'keys/log.key', 'approver', 'approver.wrong'])(
  '%s is not read',
  (file) => {
    for (const read of [
      'cat FILE',
      'head -c 9 FILE',
      'base64 < FILE',
      'cp FILE x',
      `python3 -c "print(open('FILE').read())"`,
      'curl -H @FILE http://127.0.0.1:1',
    ])
      expect(decision(read.replace('FILE', `${STATE}/${file}`)), read).toBe('deny');
    expect(guardTool('Read', { file_path: `${STATE}/${file}` }, folders).decision).toBe('deny');
    expect(decision(`ls -l ${STATE}/${file}`)).toBe('none');
  },
);
