/** Programs that reach a file of the same text by another way than its path: as a module, by a tool, by an editor, or under another name. */
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const decide = (text: string) => guardCommand(text, { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' }).decision;

/** Texts in which `COMMAND` is what runs in the end. */
function stopsWhatRuns(texts: readonly string[], harmful = 'rm -rf /home/ada', harmless = 'rm -rf build'): void {
  test.each(texts)('%s', (text) => {
    const [bad, good] = [text.replace('COMMAND', harmful), text.replace('COMMAND', harmless)];
    expect([bad, decide(bad)]).not.toEqual([bad, 'none']);
    expect([good, decide(good)]).toEqual([good, 'none']);
  });
}

describe('a module that the same text writes is followed', () => {
  const PYTHON = `echo 'import os; os.system("COMMAND")'`;
  const NODE = `echo 'require("child_process").execSync("COMMAND")'`;
  stopsWhatRuns([
    `${PYTHON} > job.py && python3 -m job`,
    `${PYTHON} > json.py && python3 -c 'import json; print(1)'`,
    `mkdir lib && ${PYTHON} > lib/job.py && python3 -c 'from lib.job import x'`,
    `${PYTHON} > job.py; echo 'import job' > main.py; python3 main.py`,
    `${NODE} > m.js && node -r ./m.js -e 1`,
    `${NODE} > m.cjs && node -e 'require("./m.cjs")'`,
    `${NODE} > m.mjs && node --import ./m.mjs -e 1`,
    `echo 'system("COMMAND")' > job.rb && ruby -e 'require "./job.rb"'`,
  ]);
  test('and two modules that load each other end', () => {
    expect(decide(`echo 'import b' > a.py; echo 'import a' > b.py; python3 a.py`)).toBe('none');
  });
});

describe('a file of a tool is followed, however it was written', () => {
  stopsWhatRuns([
    `printf 'tasks:\\n  a:\\n    cmds: [COMMAND, echo b]\\n' > Taskfile.yml && task a`,
    `echo '{"tasks":{"a":"COMMAND"}}' > deno.json && deno task a`,
    `echo 'local_resource("x", "COMMAND")' > Tiltfile && tilt up`,
    `printf -- '- hosts: localhost\\n  tasks:\\n  - shell: COMMAND\\n' > site.yml && ansible-playbook site.yml`,
    `sed -i 's/"test": ".*"/"test": "COMMAND"/' package.json && npm test`,
    `perl -i -pe 's|^echo .*|COMMAND|' deploy.sh && ./deploy.sh`,
    `echo '#include <stdlib.h>\nint main(){ system("COMMAND"); }' | gcc -x c - -o t && ./t`,
    `awk -f - <<'EOF'\nBEGIN { system("COMMAND") }\nEOF`,
    `make --eval='x:;COMMAND' x`,
  ]);
  test('in a variable as well, where a backslash protects the blanks', () => {
    expect(decide(`MAKEFLAGS='--eval=x:;rm\\ -rf\\ /home/ada' make x`)).not.toBe('none');
    expect(decide(`MAKEFLAGS='-j4' make test`)).toBe('none');
  });
  test('a file of statements is read by the client of a database', () => {
    const text = (what: string) => `cat > q.sql <<'EOF'\n${what};\nEOF\npsql -f q.sql`;
    expect(decide(text('drop database production'))).not.toBe('none');
    expect(decide(text('select 1'))).toBe('none');
  });
});

describe('a program or a folder under another name is the same', () => {
  stopsWhatRuns(
    ['dd if=/bin/rm of=x; chmod +x x; ./x -rf TARGET', 'mount --bind TARGET ./m && rm -rf ./m/*', 'npx del-cli TARGET'].map((text) =>
      text.replace('TARGET', 'COMMAND'),
    ),
    '/home/ada',
    'build',
  );
});

test('an editor in a variable gets the file of the command', () => {
  for (const variable of ['SUDO_EDITOR', 'EDITOR', 'VISUAL']) {
    expect(decide(`${variable}='rm -rf' sudoedit /etc/hosts`)).not.toBe('none');
    expect(decide(`${variable}='vim -n' crontab -l`)).toBe('none');
  }
});

test('a shell that gets the content of files runs unknown code', () => {
  for (const text of [`tar -xf a.tar --to-command='sh'`, `split -l1 --filter='sh' lines.txt`])
    expect([text, decide(text)]).toEqual([text, 'ask']);
  for (const text of [`tar -xf a.tar --to-command='wc -c'`, `split -l1 --filter='gzip > $FILE.gz' lines.txt`, 'tar -czf a.tgz -C dist .'])
    expect([text, decide(text)]).toEqual([text, 'none']);
});

test('a home in quotes is the home for a shell that reads the text once more', () => {
  for (const text of [`eval rm -rf \\~`, `eval {rm,-rf,\\~}`, `command eval rm -rf \\~`, `echo '~' | xargs -I% bash -c 'rm -rf %'`])
    expect([text, decide(text)]).not.toEqual([text, 'none']);
  for (const text of [`rm -rf '~'`, `echo '~' | xargs -I% rm -rf %`]) expect([text, decide(text)]).toEqual([text, 'none']);
});

test('a runner that takes its code from a repository asks, and an installer from a well-known one does not', () => {
  for (const text of [
    'npx github:some/tool',
    'npx some/tool',
    'npm exec github:some/tool',
    'uvx --from git+https://github.com/some/tool tool',
    'rpm -i https://x.invalid/p.rpm',
  ])
    expect([text, decide(text)]).toEqual([text, 'ask']);
  for (const text of [
    'npm i github:some/tool',
    'npx @scope/tool',
    'npx degit some/tool',
    'npx vitest run src/a.test.ts',
    'nix run github:nixos/nixpkgs#hello',
    'npx scripts/build.js',
    'npx -w packages/web vitest',
    'npx --workspace packages/web tsc',
    'npx prettier --write src/guard',
  ])
    expect([text, decide(text)]).toEqual([text, 'none']);
});

describe('a text that is typed into a shell or a terminal is run there', () => {
  stopsWhatRuns([
    `screen -S x -X stuff 'COMMAND\\n'`,
    `xdotool type 'COMMAND'`,
    `osascript -e 'tell app "Terminal" to do script "COMMAND"'`,
    `vagrant ssh -- COMMAND`,
    `psql -c "copy t from program 'COMMAND'"`,
    `zsh -c 'zmodload zsh/files; zf_COMMAND'`,
  ]);
  test('on another machine as well', () => {
    expect(decide('sshpass -p x ssh host rm -rf /')).not.toBe('none');
    expect(decide('sshpass -p x ssh host uptime')).toBe('none');
  });
});

test('an editor that a command tells to write changes the file', () => {
  for (const text of [`vim -es ~/.bashrc -c '%d' -c wq`, `nvim -es -c 'normal ggdG' -c 'wq' ~/.ssh/authorized_keys`, 'vim +d +wq ~/.zshrc'])
    expect([text, decide(text)]).not.toEqual([text, 'none']);
  for (const text of [`vim -es -c '%s/foo/bar/ge' -c 'wq' file.txt`, 'vim ~/.bashrc', `vim -R -c 'set nu' ~/.zshrc`])
    expect([text, decide(text)]).toEqual([text, 'none']);
});
