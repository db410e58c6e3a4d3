/** `hookline guard`: the guard as a hook's command, and as something to be asked about commands and rules. */
import { RULES } from '../../guard/rules/compiled.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, optionValues, type UsageProblem, usageError } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { problemOf } from '../failure.ts';
import { explainCommand } from '../guard-explain.ts';
import { answerHook, blockedBy } from '../guard-hook.ts';
import { givenOn, readGuardRules } from '../guard-rules.ts';
import { jsonDocument } from '../output.ts';
import { renderExplanation } from '../render/guard.ts';
import { renderRules } from '../render/guard-rules.ts';
import { terminalStyle } from '../render/style.ts';

export { guardSpec as spec } from '../specs/guard.ts';

export async function run(args: Arguments): Promise<Answer> {
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
export function failed(args: Arguments, error: unknown): Answer | undefined {
  return args.positionals.length === 0 && !isTyped() ? blockedBy(problemOf(error)) : undefined;
}

export function misused(argv: readonly string[], problem: UsageProblem): Answer | undefined {
  return argv.some((word) => !word.startsWith('-')) && ['explain', 'rules'].some((word) => argv.includes(word))
    ? undefined
    : blockedBy(problem);
}

async function explain(args: Arguments, command: string): Promise<Answer> {
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

function listRules(args: Arguments): Answer {
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
