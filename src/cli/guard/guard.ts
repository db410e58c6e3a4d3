/** `hookline guard`: the guard as a hook's command, and its explanations of commands and rules. */
import { suggest } from '../../core/values/suggest.ts';
import type { Rule } from '../../guard/rules/rule.ts';
import { allRules } from '../../guard/rules/rulebook.ts';
import { type Arguments, hasFlag, optionValues, type UsageProblem, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemOf } from '../failure.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { answerHook, blockedBy } from './as-hook.ts';
import { explainCommand } from './explain.ts';
import { renderExplanation, renderRules } from './print-guard.ts';
import { type GuardRules, givenOn, readGuardRules } from './rules.ts';

export { guardSpec as spec };

const ACTIONS = ['explain', 'rules', 'test'];

export async function run(args: Arguments): Promise<CommandResult> {
  const [action, command] = args.positionals;
  switch (action) {
    case undefined:
      return { ...(await answerHook(args)), verbatim: true };
    case 'explain':
      if (command === undefined)
        throw usageError('Which command should be explained?', 'Quote it: `hookline guard explain "rm -rf build"`.');
      return explain(args, command);
    case 'rules':
      return listRules(args, await readGuardRules(args));
    case 'test':
      return (await import('./test-rules.ts')).testRules(args);
    default: {
      const near = suggest(action, ACTIONS);
      throw usageError(
        `\`hookline guard\` has no action \`${action}\`.`,
        near === undefined
          ? 'Actions: `explain`, `rules` and `test`. Without an action it runs as a hook.'
          : `Did you mean \`hookline guard ${near}\`?`,
      );
    }
  }
}

/** As a hook it blocks whatever goes wrong; for a person it fails like any other command. */
export function failed(args: Arguments, error: unknown): CommandResult | undefined {
  return args.positionals.length === 0 && !isTyped() ? blockedBy(problemOf(error)) : undefined;
}

export function misused(argv: readonly string[], problem: UsageProblem): CommandResult | undefined {
  return argv.some((word) => !word.startsWith('-')) && ACTIONS.some((word) => argv.includes(word)) ? undefined : blockedBy(problem);
}

async function explain(args: Arguments, command: string): Promise<CommandResult> {
  const rules = await readGuardRules(args);
  // To ask what another preset would decide loosens nothing.
  const explanation = explainCommand(command, { ...rules, settings: { ...rules.settings, ...presetOn(args) } });
  const exit = explanation.decision === 'none' ? EXIT.ok : EXIT.negative;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument(explanation) };
  return { exit, out: renderExplanation(command, explanation, terminalStyle()) };
}

function presetOn(args: Arguments): { readonly preset?: NonNullable<ReturnType<typeof givenOn>['preset']> } {
  const { preset } = givenOn(args);
  return preset === undefined ? {} : { preset };
}

function listRules(args: Arguments, { settings, shown, diagnostics }: GuardRules): CommandResult {
  const packs = optionValues(args, 'pack');
  const rules = allRules().filter(({ pack }) => packs.length === 0 || (pack !== undefined && packs.includes(pack)));
  const chosen = settings.packs.map((pack) => ({ pack, by: 'chosen' }));
  const on = [...chosen, ...shown.filter(({ pack }) => !settings.packs.includes(pack))];
  const own = packs.length === 0 ? settings.rules.map((rule): Rule => ({ ...rule, category: 'your own' })) : [];
  if (!hasFlag(args, 'json')) return { exit: EXIT.ok, out: renderRules([...rules, ...own], on, terminalStyle()) };
  const listed = [...rules, ...own].map(({ id, category, pack, severity, locked, reason, instead }) => ({
    id,
    category,
    pack: pack ?? null,
    severity,
    locked: locked === true,
    reason,
    instead,
  }));
  return { exit: EXIT.ok, out: jsonDocument({ rules: listed, packs: on, problems: diagnostics }) };
}

/** A person at a terminal, and no host. */
function isTyped(): boolean {
  return process.stdin.isTTY === true && (process.env['HOOK_INPUT'] ?? '') === '';
}

/** `hookline guard` as data. */
export const guardSpec: CommandSpec = {
  name: 'guard',
  summary: "Judge what an agent is about to do: as a hook's command, or to have a command explained.",
  takes: '[explain COMMAND | rules | test]',
  words: { min: 0, max: 2, missing: '' },
  options: [
    {
      name: 'preset',
      value: 'NAME',
      help: 'Preset: standard, strict or paranoid. As a hook, the stricter of this and your settings counts.',
    },
    { name: 'pack', value: 'NAME', repeatable: true, help: 'Enable an additional rule pack. Repeatable.' },
    {
      name: 'cwd',
      value: 'DIR',
      help: 'Folder in which the command would run. Default: the folder in the payload, otherwise the working directory.',
    },
    { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
    HOME_OPTION,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without an action it runs as a hook: it reads the payload of any hook system from stdin (or HOOK_INPUT). Without an objection it prints nothing and exits with 0. With an objection it exits with 2 and prints the rule, the reason and an alternative on stderr. If a person should decide, it replies `ask` to agents that are known to ask their user, or to any with --json; all others are blocked. A payload that it cannot read is blocked too.',
    '`explain` shows how a command is parsed and which rules apply; nothing is run. It exits with 0 without an objection, and with 1 otherwise. `rules` lists the rules. `test` runs the examples of your own rules and exits with 1 if one fails.',
  ],
  examples: [
    { does: 'What would the guard say?', line: `hookline guard explain "sudo bash -c 'rm -rf /'"` },
    { does: 'The same for a machine, with more rules', line: 'hookline guard explain "docker system prune" --pack containers --json' },
    { does: 'Every rule', line: 'hookline guard rules' },
    { does: 'Check the rules of your own', line: 'hookline guard test' },
  ],
};
