/** The hooks that `hookline init` can write, each with its test. They match the input as a whole, because agents name its fields differently. */
import type { ScaffoldFile } from '../../core/contracts/dialect.ts';

export interface Protection {
  /** The word after `--protect`. */
  readonly id: string;
  /** For the question: `dangerous commands`. */
  readonly title: string;
  /** The name of the hook. */
  readonly name: string;
  /** The program, without its first line. */
  readonly program: readonly string[];
  /** The cases of its test. */
  readonly cases: readonly string[];
}

const aCall = (name: string, tool: string, input: string, decision: string): readonly string[] => [
  ...[
    `  - name: ${name}`,
    '    event: tool.before',
    `    tool: ${tool}`,
    `    input: ${input}`,
    '    expect:',
    `      decision: ${decision}`,
  ],
];

const aStop = (name: string, script: string, decision: string): readonly string[] => [
  ...[`  - name: ${name}`, '    event: stop.before', `    files: { package.json: '{"scripts":{"test":"${script}"}}' }`],
  ...['    expect:', `      decision: ${decision}`],
];

export const PROTECTIONS: readonly Protection[] = [
  {
    id: 'commands',
    title: 'dangerous commands',
    name: 'no-dangerous-commands',
    program: [
      'const DANGEROUS = [',
      String.raw`  /\brm\s+(?:-\w+\s+)*-\w*r\w*\s+(?:-\w+\s+)*["']?(?:\/|~|\$HOME)["'\s\\/*]*(?:$|["'};&|])/,`,
      String.raw`  /\bgit\s+push\b.*--force(?!-with-lease)/,`,
      String.raw`  /\bmkfs\b|\bdd\b.*\bof=\/dev\//,`,
      '];',
      '',
      'export default defineHook({',
      "  on: 'tool.before',",
      "  match: { tool: 'Bash' },",
      '  run(event) {',
      '    const text = JSON.stringify(event.data.input);',
      '    if (!DANGEROUS.some((pattern) => pattern.test(text))) return undefined;',
      "    return deny('This command can destroy work that nothing brings back. Ask a person to run it.');",
      '  },',
      '});',
    ],
    cases: [
      ...aCall('denies the removal of the home', 'Bash', '{ command: rm -rf ~ }', 'deny'),
      ...aCall('denies a force push', 'Bash', '{ command: git push --force }', 'deny'),
      ...aCall('has no opinion on the removal of a folder', 'Bash', '{ command: rm -rf build }', 'pass'),
    ],
  },
  {
    id: 'secrets',
    title: 'secrets: .env files, keys and credentials',
    name: 'no-secrets',
    program: [
      String.raw`const SECRET = /(?:^|[\s/"'=:])(?:\.env(?:\.(?!example|sample|template)\w+)?|id_(?:rsa|ed25519)|\.aws\/credentials|\.netrc)(?=$|[\s"'\\;&|)])/;`,
      '',
      'export default defineHook({',
      "  on: 'tool.before',",
      '  run(event) {',
      '    if (!SECRET.test(JSON.stringify(event.data.input))) return undefined;',
      "    return deny('This file holds secrets. Work without it, or ask a person for the part that you need.');",
      '  },',
      '});',
    ],
    cases: [
      ...aCall('denies to read .env', 'Read', '{ file_path: /app/.env }', 'deny'),
      ...aCall('denies to print a key', 'Bash', '{ command: cat ~/.ssh/id_ed25519 }', 'deny'),
      ...aCall('has no opinion on an example', 'Read', '{ file_path: .env.example }', 'pass'),
    ],
  },
  {
    id: 'branch',
    title: 'the branches main and master',
    name: 'protected-branch',
    program: [
      String.raw`const PUSH = /\bgit\b[^;&|]*\bpush\b[^;&|]*(?:[\s:/+](?:main|master)(?=$|[\s"'\\;&|])|--force(?!-with-lease)|\s-f\b)/;`,
      '',
      'export default defineHook({',
      "  on: 'tool.before',",
      "  match: { tool: 'Bash' },",
      '  run(event) {',
      '    if (!PUSH.test(JSON.stringify(event.data.input))) return undefined;',
      "    return deny('Pushes to this branch go through a review. Push a branch of your own and open a pull request.');",
      '  },',
      '});',
    ],
    cases: [
      ...aCall('denies a push to main', 'Bash', '{ command: git push origin main }', 'deny'),
      ...aCall('denies a force push', 'Bash', '{ command: git push --force }', 'deny'),
      ...aCall('has no opinion on another branch', 'Bash', '{ command: git push origin maintenance }', 'pass'),
    ],
  },
  {
    id: 'quality',
    title: 'quality: the tests pass before the agent stops',
    name: 'tests-before-stop',
    program: [
      'export default defineHook({',
      "  on: 'stop.before',",
      '  timeoutMs: 300_000,',
      '  async run(event) {',
      "    const { exit, stdout, stderr } = await event.exec('test ! -f package.json || npm test --if-present');",
      '    if (exit === 0) return undefined;',
      String.raw`    return deny('The tests fail. Fix them before you stop.\n' + (stdout + stderr).slice(-2000));`,
      '  },',
      '});',
    ],
    cases: [
      ...aStop('sends the agent back while the tests fail', 'exit 1', 'deny'),
      ...aStop('lets the agent stop once they pass', 'exit 0', 'pass'),
    ],
  },
];

const FOLDER = '.hookline/hooks';

/** Returns the hook and its test. */
export function filesOf({ name, program, cases }: Protection): { readonly hook: ScaffoldFile; readonly test: ScaffoldFile } {
  const text = ["import { defineHook, deny } from 'hookline/hook';", '', ...program, ''].join('\n');
  const test = ['# yaml-language-server: $schema=../schemas/hooktest.json', 'cases:', ...cases, ''].join('\n');
  return { hook: { path: `${FOLDER}/${name}.ts`, text }, test: { path: `${FOLDER}/${name}.hooktest.yaml`, text: test } };
}
