/** Killing every process that a list has is denied, and killing some of them is not. No command is run. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const rules = (command: string) => guardCommand(command).findings.map(({ rule }) => rule);

const LISTS = ['ps -eo pid=', 'ps -A -o pid=', "ps aux | awk '{print $2}'", "ps -ef | awk 'NR>1 {print $2}'", 'pgrep .'];
const CARRIERS: Readonly<Record<string, (list: string) => string>> = {
  'a substitution': (list) => `kill -9 $(${list})`,
  xargs: (list) => `${list} | xargs -n1 kill -9`,
  'a loop over a substitution': (list) => `for p in $(${list}); do kill $p; done`,
  'a loop over lines': (list) => `${list} | while read -r p; do kill "$p"; done`,
};

test.each(LISTS)('no process of all those that `%s` lists is killed', (list) => {
  for (const [way, carry] of Object.entries(CARRIERS)) expect([way, rules(carry(list))]).toEqual([way, ['kill-all']]);
});

test.each([
  "ps aux | grep vite | awk '{print $2}' | xargs kill",
  "kill $(ps aux | awk '/vite/ {print $2}')",
  'ps aux; kill "$PID"',
  'npm start & PID=$!; ps -ef; kill $PID',
  'ps -ef > list.txt; kill $(cat server.pid)',
  'ps -o pid= -p $PID; kill $PID',
  'kill $(lsof -ti:3000)',
  'ps aux | head',
])('some processes can be killed: %s', (command) => expect(rules(command)).toEqual([]));
