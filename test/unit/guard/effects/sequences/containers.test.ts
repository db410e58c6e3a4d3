/** Removing all containers of a machine asks, and removing the ones that a command names does not. No command is run. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const TOOLS = ['docker', 'podman', 'nerdctl', 'sudo docker', 'docker --context lab'];
const LISTS = ['ps -aq', 'ps -q', 'ps -a --quiet', 'container ls -aq'];
const REMOVES = ['rm -f', 'rm -fv', 'container rm --force', 'kill'];
const CARRIERS: Readonly<Record<string, (remove: string, list: string) => string>> = {
  'a substitution': (remove, list) => `${remove} $(${list})`,
  backquotes: (remove, list) => `${remove} \`${list}\``,
  xargs: (remove, list) => `${list} | xargs -r ${remove}`,
  'a variable': (remove, list) => `all=$(${list}); ${remove} $all`,
  'a loop': (remove, list) => `for c in $(${list}); do ${remove} "$c"; done`,
  'a shell': (remove, list) => `sh -c '${remove} $(${list})'`,
};

test.each(TOOLS)('everything that %s lists is removed only after a question', (tool) => {
  for (const list of LISTS)
    for (const remove of REMOVES)
      for (const [way, carry] of Object.entries(CARRIERS)) {
        const command = carry(`${tool} ${remove}`, `${tool} ${list}`);
        expect([way, command, guardCommand(command).findings.map(({ rule }) => rule)]).toEqual([way, command, ['remove-all-containers']]);
        const some = carry(`${tool} ${remove}`, `${tool} ${list} --filter name=shop`);
        expect([way, some, guardCommand(some).decision]).toEqual([way, some, 'none']);
      }
});

test('the option for all of them is the same as a list of all of them', () => {
  for (const command of ['podman rm -fa', 'podman rm --all --force', 'podman pod rm -fa', 'podman rmi -fa', 'podman kill --all'])
    expect([command, guardCommand(command).decision]).toEqual([command, 'ask']);
});

test.each([
  'docker rm -f web',
  'docker rm -f "$CONTAINER"',
  'docker ps -aq',
  'docker stop $(docker ps -q)',
  'docker compose rm -f web',
  'podman ps -a',
])('a container that a command names can be removed: %s', (command) => expect(guardCommand(command).decision).toBe('none'));

test.each(TOOLS)('images that %s lists can be removed, except all of them by force', (tool) => {
  for (const list of ['images -q', 'images -aq', 'image ls --quiet', "images --format '{{.ID}}'"])
    for (const [way, carry] of Object.entries(CARRIERS)) {
      const decide = (remove: string, from: string) => guardCommand(carry(`${tool} ${remove}`, `${tool} ${from}`)).decision;
      expect([way, list, decide('rmi', list)]).toEqual([way, list, 'none']);
      expect([way, list, decide('image rm', `${list} shop`)]).toEqual([way, list, 'none']);
      expect([way, list, decide('rmi -f', `${list} shop`)]).toEqual([way, list, 'none']);
      expect([way, list, decide('rmi -f', list)]).toEqual([way, list, 'ask']);
      expect([way, list, decide('image rm --force', list)]).toEqual([way, list, 'ask']);
    }
});

test('a search between the lists counts for images and not for containers, which hold data', () => {
  const decide = (command: string) => guardCommand(command).decision;
  expect(decide("docker images | grep shop | awk '{print $3}' | xargs docker rmi -f")).toBe('none');
  expect(decide('docker images -q | grep -v shop | xargs docker rmi -f')).toBe('ask');
  expect(decide("docker ps -a | grep shop | awk '{print $1}' | xargs docker rm -f")).toBe('ask');
});
