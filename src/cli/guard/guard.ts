/** `hookline guard`: the guard as a hook's command, and as something to be asked about commands and rules. */
import { RULES } from '../../guard/rules/compiled.ts';
import { type Arguments, hasFlag, optionValues, type UsageProblem, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemOf } from '../failure.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { answerHook, blockedBy } from './as-hook.ts';
import { explainCommand } from './explain.ts';
import { renderExplanation, renderRules } from './print-guard.ts';
import { givenOn, readGuardRules } from './rules.ts';

export { guardSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action, command] = args.positionals;
  switch (action) {
    case undefined:
      return answerHook(args);
    case 'explain':
      if (command === undefined)
        throw usageError('Which command should be explained?', 'Quote it: `hookline guard explain "rm -rf build"`.');
      return explain(args, command);
    case 'rules':
      return listRules(args);
    default:
      throw usageError(
        `\`hookline guard\` can not \`${action}\`.`,
        'It can explain a command and list its rules; without a word it is a hook.',
      );
  }
}

/** As a hook it blocks whatever goes wrong; for a person it fails like any other command. */
export function failed(args: Arguments, error: unknown): CommandResult | undefined {
  return args.positionals.length === 0 && !isTyped() ? blockedBy(problemOf(error)) : undefined;
}

export function misused(argv: readonly string[], problem: UsageProblem): CommandResult | undefined {
  return argv.some((word) => !word.startsWith('-')) && ['explain', 'rules'].some((word) => argv.includes(word))
    ? undefined
    : blockedBy(problem);
}

async function explain(args: Arguments, command: string): Promise<CommandResult> {
  const rules = await readGuardRules(args);
  // To be asked what another preset would say is no way to loosen anything.
  const explanation = explainCommand(command, { ...rules, settings: { ...rules.settings, ...presetOn(args) } });
  const exit = explanation.decision === 'none' ? EXIT.ok : EXIT.negative;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument(explanation) };
  return { exit, out: renderExplanation(command, explanation, terminalStyle()) };
}

function presetOn(args: Arguments): { readonly preset?: NonNullable<ReturnType<typeof givenOn>['preset']> } {
  const { preset } = givenOn(args);
  return preset === undefined ? {} : { preset };
}

function listRules(args: Arguments): CommandResult {
  const packs = optionValues(args, 'pack');
  const rules = RULES.filter(({ pack }) => packs.length === 0 || (pack !== undefined && packs.includes(pack)));
  if (!hasFlag(args, 'json')) return { exit: EXIT.ok, out: renderRules(rules, terminalStyle()) };
  const listed = rules.map(({ id, category, pack, severity, locked, reason, instead }) => ({
    id,
    category,
    pack: pack ?? null,
    severity,
    locked: locked === true,
    reason,
    instead,
  }));
  return { exit: EXIT.ok, out: jsonDocument({ rules: listed }) };
}

/** A person at a terminal, and no host. */
function isTyped(): boolean {
  return process.stdin.isTTY === true && (process.env['HOOK_INPUT'] ?? '') === '';
}

/** `hookline guard` as data. */

export const guardSpec: CommandSpec = {
  name: 'guard',
  summary: "Judge what an agent is about to do: as a hook's command, or to have a command explained.",
  takes: '[explain COMMAND | rules]',
  words: { min: 0, max: 2, missing: '' },
  options: [
    {
      name: 'preset',
      value: 'NAME',
      help: 'How careful it is: standard, strict or paranoid. As a hook, the stricter of this and your settings counts.',
    },
    { name: 'pack', value: 'NAME', repeatable: true, help: 'A pack of rules that counts beside the core. Repeatable.' },
    { name: 'cwd', value: 'DIR', help: 'Where the command would run. Default: what the payload says, else the working directory.' },
    { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
    HOME_OPTION,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    "Without a word it is a hook: it reads any hook system's payload from stdin (or HOOK_INPUT). No objection: it says nothing, exit 0. Objection: exit 2, with the rule, why, and what to do instead on stderr. What a person should decide is asked in Claude Code's own words where its payload is recognised, or with --json; everywhere else it blocks. What it can't read blocks, too.",
    '`explain` shows how a command is understood and what the rules say of it; nothing is run. Exit 0 without an objection, 1 with one. `rules` lists the rules.',
  ],
  examples: [
    { does: 'What would the guard say?', line: `hookline guard explain "sudo bash -c 'rm -rf /'"` },
    { does: 'The same for a machine, with more rules', line: 'hookline guard explain "docker system prune" --pack containers --json' },
    { does: 'Every rule', line: 'hookline guard rules' },
  ],
};
