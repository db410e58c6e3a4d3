/** Tools that carry out what the same command downloads, and descriptions that give a container the machine. No command is run. */
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const rules = (command: string) => guardCommand(command, { cwd: '/p', root: '/p', home: '/home/ada' }).findings.map(({ rule }) => rule);
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const DOWNLOADS = ['curl -fsSL', 'wget -qO-', 'sudo curl -s'];
/** Ways from a download to the input of a tool. */
const INPUTS: Readonly<Record<string, (download: string, tool: string) => string>> = {
  'a pipe': (download, tool) => `${download} | ${tool}`,
  'a filter': (download, tool) => `${download} | gunzip | ${tool}`,
  'a copy on the way': (download, tool) => `${download} | tee kept | ${tool}`,
  'a substituted file': (download, tool) => `${tool} < <(${download})`,
  'a file': (download, tool) => `${download} > got; ${tool} < got`,
  'a here-string': (download, tool) => `${tool} <<< "$(${download})"`,
  'a variable': (download, tool) => `got=$(${download}); echo "$got" | ${tool}`,
};
/** Ways from a download to a file that a tool names. */
const FILES: Readonly<Record<string, (download: string, tool: string) => string>> = {
  'a substituted file': (download, tool) => `${tool} <(${download})`,
  'a file': (download, tool) => `${download} > /tmp/got && ${tool} /tmp/got`,
  'a file that is copied': (download, tool) => `${download} > got; cp got copy; ${tool} copy`,
  'a file of the folder': (download, tool) => `${download} > got; ${tool} ./got`,
  'a shell': (download, tool) => `bash -c ${quote(`${tool} <(${download})`)}`,
};

describe.each([
  [
    'database-fed',
    ['psql app', 'mysql -u root app', 'sqlite3 app.db', 'mongosh app', 'redis-cli --pipe', 'docker exec -i db psql app'],
    INPUTS,
  ],
  ['database-fed', ['psql app -f', 'psql --file', 'cockroach sql -f'], FILES],
  ['package-fed', ['dpkg -i', 'sudo dpkg --install', 'rpm -Uvh', 'apt install -y', 'pip install', 'apk add'], FILES],
  ['manifest-fed', ['kubectl apply -f -', 'oc create -f -', 'docker compose -f - up -d', 'docker build -', 'docker load'], INPUTS],
  ['manifest-fed', ['kubectl apply -f', 'docker stack deploy shop -c', 'podman play kube', 'nomad job run', 'ansible-playbook'], FILES],
] as const)('%s: %j', (rule, tools, ways) => {
  test.each(Object.entries(ways))('by %s', (_, carry) => {
    for (const tool of tools) {
      for (const download of DOWNLOADS) expect(rules(carry(`${download} https://files.invalid/x`, tool))).toContain(rule);
      for (const own of ['cat x', 'curl -s http://localhost:8080/x', 'jq . x'])
        expect([carry(own, tool), rules(carry(own, tool))]).toEqual([carry(own, tool), []]);
    }
  });
});

test.each([
  'curl -s https://files.invalid/rows.csv | psql -c "copy t from stdin csv" app',
  "curl -s https://files.invalid/rows.csv | sqlite3 app.db '.import --csv /dev/stdin rows'",
  'curl -LO https://github.com/o/r/releases/download/v1/a.deb && dpkg -i a.deb',
  'curl -sL https://github.com/o/r/releases/download/v1/p.yaml | kubectl apply -f -',
  'curl -s https://files.invalid/x > page.html; psql -f schema.sql app',
  'curl -s https://files.invalid/x | jq .; docker compose up -d',
  'curl -s https://files.invalid/x | docker compose exec -T web tee page.html',
  'curl https://files.invalid/c.yaml > compose.yaml; docker compose config',
])('a download that no such tool carries out is none: %s', (command) => expect(rules(command)).toEqual([]));

/** Descriptions that give the machine away, in several notations. */
const GRANTS = [
  'services:\n  a:\n    image: alpine\n    privileged: true\n',
  'services:\n  a:\n    volumes:\n      - /:/host\n',
  'services:\n  a:\n    volumes: ["/:/host:rw"]\n',
  'services:\n  a:\n    volumes:\n      - type: bind\n        source: /\n        target: /host\n',
  'services:\n  a:\n    pid: host\n',
  'services:\n  a:\n    volumes:\n      - /var/run/docker.sock:/var/run/docker.sock\n      - /etc:/e\n',
  'kind: Pod\nspec:\n  volumes:\n    - name: h\n      hostPath:\n        path: /\n',
  'kind: Pod\nspec:\n  hostPID: true\n',
  'kind: Pod\nspec:\n  volumes: [{hostPath: {path: /etc}}]\n',
  '{"spec":{"containers":[{"securityContext":{"privileged":true}}]}}',
  '{"spec":{"volumes":[{"hostPath":{"path":"/"}}]}}',
];
const NO_GRANTS = [
  'services:\n  a:\n    image: alpine\n    privileged: false\n    volumes:\n      - ./data:/data\n      - /srv/shop:/shop\n      - cache:/var/cache\n',
  'services:\n  a:\n    ports: ["80:80"]\n    command: npm run start:/app\n    environment:\n      HOST: https://shop.invalid/:8080\n',
  'kind: Pod\nspec:\n  hostPID: false\n  volumes:\n    - hostPath: { path: /srv/data }\n',
  '{"spec":{"template":{"path":"/","port":80}}}',
];
const APPLIES: Readonly<Record<string, (text: string) => string>> = {
  'a here-document': (text) => `kubectl apply -f - <<'END'\n${text}\nEND`,
  'a pipe': (text) => `cat <<'END' | docker compose -f - up -d\n${text}\nEND`,
  'a file': (text) => `printf %s ${quote(text)} > stack.yaml && docker stack deploy -c stack.yaml shop`,
  'a file that is found': (text) => `cat > docker-compose.yml <<'END'\n${text}\nEND\ndocker compose up`,
  'a substituted file': (text) => `kubectl create -f <(printf %s ${quote(text)})`,
  'a file of another tool': (text) => `echo ${quote(text)} > p.yaml; sudo podman kube play p.yaml`,
};

test.each(Object.entries(APPLIES))('a description that gives the machine away asks, by %s', (_, apply) => {
  for (const text of GRANTS) expect([apply(text), rules(apply(text))]).toEqual([apply(text), ['manifest-host']]);
  for (const text of NO_GRANTS) expect([apply(text), rules(apply(text))]).toEqual([apply(text), []]);
});

test('a description that is only written or shown is none', () => {
  for (const text of GRANTS) {
    expect(rules(`printf %s ${quote(text)} > compose.yaml && docker compose config`)).toEqual([]);
    expect(rules(`kubectl get pods -o yaml <<'END'\n${text}\nEND`)).toEqual([]);
  }
});
