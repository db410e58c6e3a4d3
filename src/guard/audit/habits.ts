/**
 * Findings that are harmless in an agent's command but matter in a hook, because a hook runs unseen and on every event: network access,
 * package launchers and templates.
 */

import { type Finding, finding, type Violation } from '../findings.ts';
import type { Analysis } from '../shell/analyse.ts';
import { DOWNLOADERS, NET_TOOLS } from '../shell/flow/downloads.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { auditViolation } from './rules.ts';
import { judgeEnvironment } from './surroundings.ts';
import { isLoopback } from './url.ts';

export function judgeHabits({ commands }: Analysis): readonly Finding[] {
  return commands.flatMap((command) => {
    const { argv, line, span, via } = command;
    const place = { line, span, ...(via.length > 0 && { via }) };
    const violations = [...judgeNetwork(command), ...judgeLauncher(command)].map((violation) => finding(violation, argv.join(' ')));
    return [...violations, ...judgeEnvironment(command.env)].map((item) => ({ ...item, ...place }));
  });
}

/** Reports a placeholder for event data in the command, because Hookline fills nothing in. */
export function judgeTemplates(command: string, known: Readonly<Record<string, string>>): readonly Finding[] {
  const [match] = [...command.matchAll(TEMPLATE)].filter(([text, , , variable]) => {
    if (variable) return !isSetIn(command, variable, known);
    // `jq '{command}'` builds an object, so it is not a placeholder.
    return !(/^\{\w/.test(text) && /\bjq\b/.test(command));
  });
  if (!match) return [];
  const message = `The command contains \`${match[0]}\`. Hookline does not fill it in, and filled-in text would run as code.`;
  return [finding(auditViolation('event-in-command', message), command)];
}

const SENDERS: ReadonlySet<string> = new Set(['ssh', 'scp', 'sftp', 'rsync', 'telnet', 'mail', 'sendmail', 'mutt']);
const SENDS =
  /^(-[a-zA-Z]*[dFT]|--data.*|--form.*|--json.*|--upload-file.*|--post-(data|file).*|--body-(data|file).*|POST|PUT|PATCH|-XP(OST|UT|ATCH))$/;

function judgeNetwork({ name, argv }: EffectiveCommand): readonly Violation[] {
  const talks = NET_TOOLS.has(name) || SENDERS.has(name);
  if (!talks && !DOWNLOADERS.has(name)) return [];
  const words = argv.slice(1);
  if (words.length === 0 || words.some((word) => /^(-V|--version|--help)$/.test(word))) return [];
  const hosts = words.flatMap((word) => hostIn(word) ?? []);
  if (hosts.length > 0 && hosts.every(isLoopback)) return [];
  const to = hosts.find((host) => !isLoopback(host)) ?? 'another machine';
  const sends = talks || words.some((word) => SENDS.test(word));
  return [
    auditViolation(
      'hook-network',
      sends ? `The hook sends data to ${to} (${name}).` : `The hook sends a request to ${to} (${name}).`,
      sends ? 'medium' : 'low',
    ),
  ];
}

function hostIn(word: string): string | undefined {
  if (/^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?(\/.*)?$/.test(word)) return 'localhost';
  return /^[a-z]+:\/\//i.test(word) && URL.canParse(word) ? new URL(word).hostname : undefined;
}

/** Commands that download a package and run it, with the subcommands that do so if the others do not. */
const LAUNCHERS: Readonly<Record<string, readonly string[] | undefined>> = {
  npx: undefined,
  pnpx: undefined,
  bunx: undefined,
  uvx: undefined,
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  pipx: ['run'],
  uv: ['tool'],
  go: ['run'],
  deno: ['run'],
  nix: ['run', 'shell'],
};
const VALUED = /^(-p|--package|--from|--with|--python|--index-url|--registry|-c|--call)$/;
const PINNED = /(@v?|==)\d+\.\d+\.\d+/;

function judgeLauncher({ name, argv }: EffectiveCommand): readonly Violation[] {
  if (!Object.hasOwn(LAUNCHERS, name)) return [];
  const verbs = LAUNCHERS[name];
  const words = argv.slice(1);
  if (verbs !== undefined && !verbs.includes(words[0] ?? '')) return [];
  if (words.some((word) => /^--(no-install|offline|no|version|help)$/.test(word))) return [];
  const rest = words.slice(verbs === undefined ? 0 : name === 'uv' ? 2 : 1);
  const named = rest.findIndex((word, i) => !word.startsWith('-') && !VALUED.test(rest[i - 1] ?? ''));
  const wanted = rest.find((_, i) => /^(-p|--package|--from)$/.test(rest[i - 1] ?? '')) ?? rest[named];
  if (wanted === undefined || PINNED.test(wanted) || /^[./~]/.test(wanted)) return [];
  // `go run` and `deno run` mostly run local code. An address or a version makes them download code.
  if ((name === 'go' || name === 'deno') && !/@|:/.test(wanted)) return [];
  return [auditViolation('hook-launcher', `The hook runs the current version of \`${wanted}\`, whichever that is (${name}).`)];
}

const WORDS =
  'tool|tool_?name|tool_?input|input|args|arguments|params|prompt|command|file|file_?path|path|content|message|result|output|session_?id|user|channel|event|query|text';
/** Matches `{tool_input}`, `{{ tool.name }}`, `$ARGUMENTS` and `${tool.input}`, but not a variable of the script itself. */
const TEMPLATE = new RegExp(
  String.raw`(?<![$\w])(\{\{\s*(?:${WORDS})(?:\.\w+)*\s*\}\}|\{(?:${WORDS})(?:\.\w+)*\})|(\$(?:ARGUMENTS\b|\{ARGUMENTS\}))|\$\{((?:${WORDS})(?:[._]\w+)*)\}`,
  'g',
);

function isSetIn(command: string, variable: string, known: Readonly<Record<string, string>>): boolean {
  return (
    Object.hasOwn(known, variable) ||
    new RegExp(String.raw`(?:^|[\s;&|({])(?:${variable}=|(?:read|for)\b[^\n;]{0,200}\b${variable}\b)`).test(command)
  );
}
