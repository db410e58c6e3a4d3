// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are texts of plugins
/**
 * Every shape of configuration that a loader accepts for a command, each as a way to write one hook down. Taken from the loaders: whoever
 * teaches a loader another shape adds it here, and the audit is tried on it.
 */

import { RENAMED } from '../../../src/agents/agenthooks/profile.ts';
import { DIALECTS } from '../../../src/builtins.ts';

export interface Planting {
  /** As its dialect names it. */
  readonly event: string;
  readonly matcher: string | undefined;
  readonly command: string;
  /** A text in JSON, and in YAML and TOML where a double-quoted text is one. */
  readonly quoted: string;
}

export interface Shape {
  readonly name: string;
  readonly events: readonly string[];
  /** The file that holds the command. */
  readonly config: string;
  /** Where the command's own folder is: its scripts are seen from there. */
  readonly folder: string;
  readonly only?: string;
  files(planting: Planting): Readonly<Record<string, string>>;
}

const eventsOf = (dialect: string): string[] => Object.keys(DIALECTS.find(({ id }) => id === dialect)?.profile.events ?? {});
const PASCAL = eventsOf('claude-agent');
const CAMEL = PASCAL.map((name) => name.charAt(0).toLowerCase() + name.slice(1));
const match = ({ matcher }: Planting): string => (matcher === undefined ? '' : `"matcher": ${JSON.stringify(matcher)}, `);
const group = (planting: Planting): string => `[{${match(planting)}"hooks": [{"type": "command", "command": ${planting.quoted}}]}]`;
const frontmatter = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\nWords.\n`;
const indented = (text: string, by: number): string =>
  text
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`)
    .join('\n');

/** What may stand under an event, as JSON. */
const CLAUDE_ENTRIES: Readonly<Record<string, (planting: Planting) => string>> = {
  'a name and a command': ({ quoted }) => `{"first": "true", "planted": ${quoted}}`,
  'a name and a map': (planting) => `{"planted": {${match(planting)}"command": ${planting.quoted}, "timeout_secs": 5}}`,
  'a list of commands': ({ quoted }) => `["true", ${quoted}]`,
  'a list of maps': (planting) => `[{${match(planting)}"name": "planted", "command": ${planting.quoted}}]`,
  'nested groups': group,
  'a group of plain commands': (planting) => `[{${match(planting)}"hooks": ["true", ${planting.quoted}]}]`,
  'a group of maps without a type': (planting) => `[{${match(planting)}"hooks": [{"command": ${planting.quoted}, "timeout": 5}]}]`,
};

const claude: readonly Shape[] = Object.entries(CLAUDE_ENTRIES).flatMap(([name, write]): Shape[] => {
  const json = (planting: Planting): string => `{ // mine\n "hooks": {"${planting.event}": ${write(planting)}}}`;
  const yaml = (planting: Planting): string =>
    frontmatter(['name: planted', 'description: x', `hooks: {"${planting.event}": ${write(planting)}}`]);
  return [
    ...['.claude/settings.json', '.claude/settings.local.json', '~/.claude/settings.json'].map((config) => ({
      name: `${config} with ${name}`,
      events: [...PASCAL, ...CAMEL],
      config,
      folder: '',
      files: (planting: Planting) => ({ [config]: json(planting) }),
    })),
    ...['.claude/skills/x/SKILL.md', '.claude/agents/x.md'].flatMap((config) =>
      ['claude-agent', 'claude-code'].map((only) => ({
        name: `${config} with ${name} as ${only}`,
        events: PASCAL,
        config,
        folder: '',
        only,
        files: (planting: Planting) => ({ [config]: yaml(planting) }),
      })),
    ),
  ];
});

/** What Claude Code has beyond that, in a file that is all its own. */
const claudeCode: readonly Shape[] = Object.entries<(planting: Planting) => string>({
  'an exec form': ({ quoted }) => `{"type": "command", "command": "sh", "args": ["-c", ${quoted}]}`,
  'a shell of its own': ({ quoted }) => `{"type": "command", "command": ${quoted}, "shell": "bash"}`,
  'a list of words': ({ quoted }) => `{"type": "command", "command": ["sh", "-c", ${quoted}]}`,
  'no type': ({ quoted }) => `{"command": ${quoted}}`,
}).map(([name, write]) => ({
  name: `.claude/settings.json with ${name}`,
  events: eventsOf('claude-code'),
  config: '.claude/settings.json',
  folder: '',
  files: (planting) => ({
    '.claude/settings.json': `{"hooks": {"${planting.event}": [{${match(planting)}"hooks": [${write(planting)}]}]}}`,
  }),
}));

/** Where a plugin may keep its hooks: what the manifest says, and the file that then holds them. */
const MANIFESTS: readonly { name: string; hooks?: string; file: string; flat?: boolean }[] = [
  { name: 'the default file', file: 'hooks/hooks.json' },
  { name: 'a path', hooks: '"./conf/mine.json"', file: 'conf/mine.json' },
  { name: 'a path from the root variable', hooks: '"${CLAUDE_PLUGIN_ROOT}/mine.json"', file: 'mine.json' },
  { name: 'a list of paths', hooks: '["hooks/other.json", "./mine.json"]', file: 'mine.json' },
];

function plugin(base: string, dialect: string, only?: string): Shape[] {
  const manifest = `${base}.claude-plugin/plugin.json`;
  const events = eventsOf(dialect);
  const rest = { events, folder: dialect === 'arawn' ? base : '', ...(only !== undefined && { only }) };
  const entry = (planting: Planting): string => `{"${planting.event}": ${group(planting)}}`;
  const inFiles = MANIFESTS.map(({ name, hooks, file }) => ({
    ...rest,
    name: `${dialect} plugin at ${base || '/'}: ${name}`,
    config: `${base}${file}`,
    files: (planting: Planting) => ({
      [manifest]: `{"name": "p"${hooks === undefined ? '' : `, "hooks": ${hooks}`}}`,
      [`${base}hooks/other.json`]: '{"hooks": {}}',
      [`${base}${file}`]: `{"hooks": ${entry(planting)}}`,
    }),
  }));
  const inline = ['{"hooks": %}', '%', ...(dialect === 'arawn' ? [] : ['[%]'])].map((form) => ({
    ...rest,
    name: `${dialect} plugin at ${base || '/'}: in the manifest as ${form}`,
    config: manifest,
    files: (planting: Planting) => ({ [manifest]: `{"name": "p", "hooks": ${form.replace('%', () => entry(planting))}}` }),
  }));
  return [...inFiles, ...inline];
}

const skill = (config: string): Shape[] => {
  const head = ['name: planted', 'description: x', 'hooks:'];
  const styles: Readonly<Record<string, (planting: Planting) => string>> = {
    'a quoted command': ({ quoted }) => `command: ${quoted}`,
    'a single-quoted command': ({ command }) => `command: '${command.replaceAll("'", "''").replaceAll('\n', '\n\n            ')}'`,
    'a block of lines': ({ command }) => `command: |\n${indented(command, 12)}`,
  };
  const written = Object.entries(styles).map(([name, style]) => ({
    name: `${config} with ${name}`,
    events: eventsOf('skillkit'),
    config,
    folder: '',
    files: (planting: Planting) => ({
      [config]: frontmatter([
        ...head,
        `  ${planting.event}:`,
        planting.matcher === undefined ? '    - hooks:' : `    - matcher: ${JSON.stringify(planting.matcher)}\n      hooks:`,
        '        - type: command\n          command: "true"',
        `        - type: command\n          ${style(planting)}`,
      ]),
    }),
  }));
  const flow = { ...(written[0] as Shape), name: `${config} in flow style` };
  return [
    ...written,
    {
      ...flow,
      files: (planting: Planting) => ({ [config]: frontmatter([...head.slice(0, 2), `hooks: {${planting.event}: ${group(planting)}}`]) }),
    },
  ];
};

const toml = (name: string, write: (planting: Planting) => string): Shape => ({
  name: `HOOK.toml with ${name}`,
  events: eventsOf('hooktoml'),
  config: 'hooks/h/HOOK.toml',
  folder: 'hooks/h/',
  files: (planting) => ({ 'hooks/h/HOOK.toml': write(planting) }),
});
const tomlHead = ({ event }: Planting): string => `[hook]\nname = "h"\nevent = "${event}"\n`;

const script = (base: string, entry: string, write: (planting: Planting) => string): Shape => ({
  name: `${base}HOOK.md with ${entry}`,
  events: [...eventsOf('agenthooks'), ...Object.keys(RENAMED)],
  config: `${base}${entry}`,
  folder: '',
  files: (planting) => ({
    [`${base}HOOK.md`]: frontmatter(['name: h', 'description: x', `trigger: ${planting.event}`]),
    [`${base}${entry}`]: write(planting),
  }),
});

const list = (dialect: string, config: string, folder: string): Shape => ({
  name: `${config} with a list`,
  events: eventsOf(dialect),
  config,
  folder,
  // Elsewhere the matcher is held against a word of the event's own, or there is none.
  files: (planting) => ({
    [config]: `{"hooks": {"${planting.event}": [{"command": "true"}, {${planting.event.includes('ToolUse') ? match(planting) : ''}"command": ${planting.quoted}}]}}`,
  }),
});

/** Gemini CLI's tools are matched by a pattern; what its other events look at is a word of their own, or nothing. */
const gemini: readonly Shape[] = ['.gemini/settings.json', '~/.gemini/settings.json'].flatMap((config) =>
  Object.entries<(planting: Planting) => string>({
    groups: ({ quoted }) => `{"hooks": [{"type": "command", "command": "true"}, {"type": "command", "command": ${quoted}}]}`,
    'no type': ({ quoted }) => `{"hooks": [{"command": ${quoted}}]}`,
    'a list of words': ({ quoted }) => `{"hooks": [{"type": "command", "command": ["sh", "-c", ${quoted}]}]}`,
    'no group': ({ quoted }) => quoted,
  }).map(([name, write]) => ({
    name: `${config} with ${name}`,
    events: eventsOf('gemini-cli'),
    config,
    folder: '',
    files: (planting) => ({ [config]: `{"hooks": {"${planting.event}": [${write(planting)}]}}` }),
  })),
);

const copilot: readonly Shape[] = ['.github/hooks/x.json', '.github/copilot/settings.json', '~/.copilot/hooks/x.json'].flatMap((config) =>
  Object.entries<(planting: Planting) => string>({
    bash: ({ quoted }) => `{"type": "command", "bash": ${quoted}, "powershell": "exit"}`,
    command: ({ quoted }) => `{"command": ${quoted}}`,
    'a program': ({ quoted }) => `{"exec": "sh", "args": ["-c", ${quoted}]}`,
    'a group': ({ quoted }) => `{"hooks": [{"type": "command", "command": ${quoted}}]}`,
    'no map': ({ quoted }) => quoted,
  }).map(([name, write]) => ({
    name: `${config} with ${name}`,
    events: eventsOf('copilot'),
    config,
    folder: '',
    files: (planting) => ({ [config]: `{"version": 1, "hooks": {"${planting.event}": [{"bash": "true"}, ${write(planting)}]}}` }),
  })),
);

/** Functions given to `on` have no file; there is nothing of theirs to enumerate. */
export const SHAPES: readonly Shape[] = [
  ...skill('skills/x/SKILL.md'),
  ...skill('skills/deep/er/SKILL.md').slice(0, 1),
  ...claude,
  ...claudeCode,
  ...plugin('', 'claude-agent', 'claude-agent'),
  ...plugin('', 'claude-code'),
  ...plugin('~/.claude/plugins/p/', 'claude-agent', 'claude-agent'),
  ...plugin('~/.claude/plugins/p/', 'claude-code'),
  ...plugin('plugins/p/', 'claude-agent', 'claude-agent'),
  ...plugin('plugins/p/', 'arawn'),
  ...plugin('~/.config/arawn/plugins/p/', 'arawn'),
  toml('a basic text', (planting) => `${tomlHead(planting)}[hook.action.shell]\ncommand = ${planting.quoted}\n`),
  toml(
    'a text of several lines',
    (planting) => `${tomlHead(planting)}[hook.action.shell]\ncommand = """\n${planting.quoted.slice(1, -1)}"""\n`,
  ),
  toml('a literal text', (planting) => {
    // Nothing can be escaped in it.
    const text = planting.command.includes("'''") ? planting.quoted : `'''\n${planting.command}\n'''`;
    return `${tomlHead(planting)}[hook.action.shell]\ncommand = ${text}\n`;
  }),
  toml(
    'an inline table',
    (planting) => `hook = { name = "h", event = "${planting.event}", action = { shell = { command = ${planting.quoted} } } }\n`,
  ),
  toml('dotted keys', (planting) => `hook.name = "h"\nhook.event = "${planting.event}"\nhook.action.shell.command = ${planting.quoted}\n`),
  toml(
    'a wish not to be audited',
    (planting) => `skip_security_audit = true\n${tomlHead(planting)}action.shell.command = ${planting.quoted}\n`,
  ),
  ...['.agents/hooks/h/', '~/.config/agents/hooks/h/'].flatMap((base) => [
    script(base, 'scripts/run', ({ command }) => `#!/usr/bin/env bash\n${command}\n`),
    script(base, 'scripts/run.sh', ({ command }) => `# not executable\n${command}\n`),
    script(base, 'scripts/run.py', ({ command }) => `#!/usr/bin/env python3\nimport os\nos.system(${JSON.stringify(command)})\n`),
  ]),
  list('cursor', '.cursor/hooks.json', ''),
  list('cursor', '~/.cursor/hooks.json', '~/.cursor/'),
  list('windsurf', '.windsurf/hooks.json', ''),
  ...gemini,
  ...copilot,
];
