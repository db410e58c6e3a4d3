/** `hookline schema`: prints the JSON Schema of a hook format, of tests or of the settings, for editors. */
import { AGENTS } from '../../builtins.ts';
import type { Agent } from '../../core/contracts/agent.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { CommandError, type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { HELP_OPTION, JSON_OPTION } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { pad } from '../print/text.ts';

export { schemaSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [id] = args.positionals;
  if (id !== undefined) return { exit: EXIT.ok, out: jsonDocument(await schemaNamed(id)), verbatim: true };
  const formats = [...withSchema().map(({ dialect }) => ({ format: dialect.id, title: dialect.title })), ...OTHERS];
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument({ formats }) };
  const width = Math.max(...formats.map(({ format }) => format.length));
  const rows = formats.map(({ format, title }) => `${pad(format, width)}  ${title}`);
  return { exit: EXIT.ok, out: `${rows.join('\n')}\n` };
}

/** Files that are no hooks, but that people write too. */
const OTHERS = [
  { format: 'hooktest', title: 'Tests of hooks (*.hooktest.yaml)' },
  { format: 'settings', title: "Hookline's own settings (settings.json)" },
] as const;

function withSchema(): readonly Agent[] {
  return AGENTS.filter(({ dialect }) => dialect.schema !== undefined);
}

async function schemaNamed(id: string): Promise<unknown> {
  if (id === 'hooktest') return (await import('../../hooktest/schema.ts')).schema();
  if (id === 'settings') return (await import('../../load/settings/schema.ts')).schema();
  const schema = await AGENTS.find(({ dialect }) => dialect.id === id)?.dialect.schema?.();
  if (schema) return schema;
  const known = [...withSchema().map(({ dialect }) => dialect.id), ...OTHERS.map(({ format }) => format)];
  const near = suggest(id, known);
  const isCode = AGENTS.some(({ dialect }) => dialect.id === id);
  const message = isCode ? `The hooks of \`${id}\` are code, so their files have no schema.` : `There is no format \`${id}\`.`;
  const hint = near === undefined ? `Formats with a schema: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
  throw new CommandError({ exit: EXIT.usage, code: 'usage', message, hint });
}

/** The specification of `hookline schema`. */
export const schemaSpec: CommandSpec = {
  name: 'schema',
  summary: 'Print the JSON Schema of a hook format, for editors.',
  takes: '[format]',
  words: { min: 0, max: 1, missing: '' },
  options: [JSON_OPTION, HELP_OPTION],
  notes: ['Without a format it lists the formats that have a schema. The schema of a SKILL.md or HOOK.md is for its frontmatter.'],
  examples: [
    { does: 'List the formats', line: 'hookline schema' },
    { does: "Write the schema of Hookline's own settings", line: 'hookline schema settings > settings.schema.json' },
    { does: "Write the schema of Claude Code's settings", line: 'hookline schema claude-code > claude-code.schema.json' },
  ],
};
