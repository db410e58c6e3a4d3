/** `hookline guard test`: runs every example of the rules of one's own, and shows each that fails with its place. No command is run. */
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type GuardOptions, guardCommand } from '../../guard/guard.ts';
import { type RuleExample, readExamples } from '../../load/settings/examples.ts';
import { systemPolicyFile } from '../../load/settings/policy-file.ts';
import { projectSettingsFile } from '../../load/settings/project-file.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { jsonDocument } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { block, oneLine, plural } from '../print/text.ts';
import { type GuardRules, readGuardRules } from './rules.ts';

interface Tested {
  readonly examples: number;
  readonly failed: readonly RuleExample[];
  /** Problems of the files, and parts of them that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

export async function testRules(args: Arguments): Promise<CommandResult> {
  const rules = await readGuardRules(args);
  const files = [rules.file, systemPolicyFile(), projectSettingsFile(rules.root)];
  const examples = (await Promise.all(files.map(readExamples))).flat();
  const tested = { examples: examples.length, failed: examples.filter((one) => !holds(one, rules)), problems: rules.diagnostics };
  const isBroken = rules.settings.broken.length > 0;
  const exit = tested.failed.length > 0 || isBroken ? EXIT.negative : EXIT.ok;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ ...tested, failed: tested.failed.map(flat) }) };
  return { exit, out: render(tested, terminalStyle()) };
}

/** A rule is tested alone, so that no other rule hides its mistake. */
function holds({ of, expect, command }: RuleExample, { root, home }: GuardRules): boolean {
  const only: GuardOptions = 'rule' in of ? { rules: [of.rule] } : { protect: { [of.glob]: of.protection } };
  const id = 'rule' in of ? of.rule.id : 'protected-path';
  const isFound = guardCommand(command, { ...only, root, home, cwd: root }).findings.some(({ rule }) => rule === id);
  return isFound === (expect === 'block');
}

function nameOf({ of }: RuleExample): string {
  return 'rule' in of ? of.rule.id : `the protection of ${of.glob}`;
}

function flat(example: RuleExample): Record<string, unknown> {
  const { expect, command, file, at } = example;
  return { rule: nameOf(example), expect, command, file, line: at.line, column: at.column };
}

function render({ examples, failed, problems }: Tested, style: Style): string {
  const about = (sign: string, place: string, text: string, hint: string | undefined): string =>
    `${sign} ${style.bold(oneLine(place))}\n${block(text, '  ', style.columns)}\n${hint === undefined ? '' : `${block(hint, '  ', style.columns)}\n`}`;
  const place = ({ file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): string =>
    [file, line, column].filter((part) => part !== undefined).join(':');
  const lines = [
    ...problems.map((one) => about(one.severity === 'error' ? style.red('✗') : style.yellow('!'), place(one), one.message, one.hint)),
    ...failed.map((one) => {
      const text =
        one.expect === 'block'
          ? `${nameOf(one)} must match, but does not: ${one.command}`
          : `${nameOf(one)} must not match, but does: ${one.command}`;
      return about(style.red('✗'), place({ file: one.file, ...one.at }), text, undefined);
    }),
  ];
  const count = examples === 0 ? 'No examples of your own rules.' : `${plural(examples, 'example')}, ${failed.length} failed`;
  return `${lines.join('\n')}${lines.length > 0 ? '\n' : ''}${style.bold(count)}\n`;
}
