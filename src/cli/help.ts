/** `hookline help`: prints pages from the same tables that the parser reads. */
import { suggest } from '../core/values/suggest.ts';
import { CommandError, type CommandResult, type CommandSpec, EXIT } from './command.ts';
import { SPECS } from './commands.ts';
import { type Style, terminalStyle } from './print/style.ts';
import { block, pad } from './print/text.ts';

export function help(name: string | undefined): CommandResult {
  const style = terminalStyle();
  if (name === undefined) return { exit: EXIT.ok, out: overview(style) };
  const spec = SPECS.find((candidate) => candidate.name === name);
  if (!spec) {
    const message = `There is no help page for \`${name}\`.`;
    const names = SPECS.map((known) => known.name);
    const near = suggest(name, names);
    const hint = near === undefined ? `Commands: ${names.join(', ')}.` : `Did you mean \`hookline help ${near}\`?`;
    throw new CommandError({ exit: EXIT.usage, code: 'usage', message, hint });
  }
  return { exit: EXIT.ok, out: page(spec, style) };
}

export function overview(style: Style): string {
  const wide = Math.max(...SPECS.map(({ name, takes }) => `${name} ${takes}`.length)) + 4;
  const rows = SPECS.map(({ name, takes, summary }) => entry(`${name} ${takes}`.trim(), summary, wide, style));
  return [
    `${style.bold('hookline')} - the hook engine for AI agents: many hook formats, one explained answer.`,
    '',
    `${style.bold('Usage')}  hookline <command> [options]`,
    '',
    ...rows,
    entry('help [command]', 'Show this page, or the page of a command.', wide, style),
    entry('version', 'Show the version.', wide, style),
    '',
    style.dim('`hookline <command> --help` explains a command and shows examples.'),
    '',
  ].join('\n');
}

export function page(spec: CommandSpec, style: Style): string {
  const { name, takes, summary, options, notes = [], examples } = spec;
  const labels = options.map(({ name: option, value }) => `--${option}${value === undefined ? '' : ` ${value}`}`);
  const wide = Math.max(...labels.map((label) => label.length)) + 4;
  return [
    `${style.bold(`hookline ${name}`)} - ${summary}`,
    '',
    `${style.bold('Usage')}  hookline ${[name, takes, '[options]'].filter((part) => part !== '').join(' ')}`,
    '',
    style.bold('Options'),
    ...options.map((option, i) => entry(labels[i] as string, option.help, wide, style)),
    '',
    ...notes.flatMap((note) => [block(note, '', style.columns), '']),
    style.bold('Examples'),
    ...examples.flatMap(({ does, line }) => [`  ${style.dim(`# ${does}`)}`, `  ${line}`]),
    '',
  ].join('\n');
}

function entry(label: string, text: string, wide: number, style: Style): string {
  const indent = ' '.repeat(wide + 2);
  return `  ${style.cyan(pad(label, wide))}${block(text, indent, style.columns).trimStart()}`;
}
