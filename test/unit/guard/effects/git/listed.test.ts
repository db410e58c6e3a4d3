/** Deleting everything that git tracks asks, and a list with only some of the files does not. No command is run. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const rules = (command: string) => guardCommand(command, { cwd: '/p', root: '/p', home: '/home/ada' }).findings.map(({ rule }) => rule);
const LISTS = ['git ls-files', 'git ls-files -z', 'git -C . ls-files', 'git ls-files --cached .', 'git ls-tree -r --name-only HEAD'];
const SOME = ["git ls-files '*.log'", 'git ls-files -o', 'git ls-files --deleted', 'git ls-files -m', 'git ls-files src/gen'];
const REMOVES = ['rm -f', 'rm', 'shred -u', 'truncate -s 0', 'unlink'];
const CARRIERS: Readonly<Record<string, (remove: string, list: string) => string>> = {
  xargs: (remove, list) => `${list} | xargs ${remove}`,
  'xargs with a mark': (remove, list) => `${list} | xargs -I{} ${remove} {}`,
  parallel: (remove, list) => `${list} | parallel ${remove}`,
  'a sorted list': (remove, list) => `${list} | sort | xargs ${remove}`,
  'a substitution': (remove, list) => `${remove} $(${list})`,
  'a variable': (remove, list) => `all=$(${list}); ${remove} $all`,
  'a loop': (remove, list) => `for f in $(${list}); do ${remove} "$f"; done`,
  'a loop that reads': (remove, list) => `${list} | while read -r f; do ${remove} "$f"; done`,
  'a shell': (remove, list) => `sh -c '${list} | xargs ${remove}'`,
};

test.each(Object.entries(CARRIERS))('everything that git lists is deleted only after a question, by %s', (_, carry) => {
  for (const remove of REMOVES) {
    for (const list of LISTS) expect(rules(carry(remove, list)), carry(remove, list)).toContain('git-delete-tracked');
    for (const list of SOME) expect(rules(carry(remove, list)), carry(remove, list)).not.toContain('git-delete-tracked');
  }
});

test.each([
  'for f in $(git ls-files); do : > "$f"; done',
  'git ls-files | while read -r f; do true > "$f"; done',
  "git ls-files | perl -ne 'chomp; unlink $_'",
  "git ls-files | python3 -c 'import sys, os\nfor l in sys.stdin: os.remove(l.strip())'",
])('a program that deletes or empties what the list names asks: %s', (command) => expect(rules(command)).toContain('git-delete-tracked'));

test.each([
  "git ls-files | grep '\\.orig$' | xargs rm",
  'git ls-files | xargs wc -l',
  'git ls-files; rm -f "$TMP"',
  'git ls-files | xargs grep -l word; rm -f "$OUT"',
  'kept=$(mktemp); git ls-files | sort > "$kept"; rm -f "$kept"',
  'all=$(git ls-files); echo "$all" > list.txt; rm -f "$TMP"',
  'n=$(git ls-files | wc -l); rm -f "$TMP"',
  'git ls-files | xargs prettier --check; rm -rf dist',
])('another use of the list is none: %s', (command) => expect(rules(command)).toEqual([]));
