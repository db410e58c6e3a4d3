/** The tools of `hookline mcp`, with the schemas of their inputs and results. */
import type { JsonObject } from '../../core/values/json.ts';
import type { HookDesk, PlannedEvent } from './desk.ts';

export interface DeskTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  run(desk: HookDesk, input: JsonObject): Promise<object>;
}

const list = (description: string): JsonObject => ({ type: 'array', items: { type: 'object' }, description });
const text = (description: string): JsonObject => ({ type: 'string', description });
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
/** Results may get more fields. */
const result = (properties: JsonObject): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) });

const DIAGNOSTICS = list('Problems, each with `severity`, `code`, `message`, and `file`, `line`, `column` and `hint` where they apply.');

export const TOOLS: readonly DeskTool[] = [
  {
    name: 'hook_list',
    title: 'List hooks',
    description:
      'Lists every hook of the project and of the user that Hookline finds, with its file, its event, whether it runs, and why not.',
    input: object({}),
    output: result({ hooks: list('The hooks.'), diagnostics: DIAGNOSTICS }),
    run: (desk) => desk.list(),
  },
  {
    name: 'hook_reload',
    title: 'Reload hooks',
    description: 'Reads all hook files again. Tells which hooks do not run, and what a person must do. It does not trust a hook.',
    input: object({}),
    output: result({
      ok: { type: 'boolean' },
      active: { type: 'number' },
      inactive: list('Hooks that do not run.'),
      message: text('The result.'),
    }),
    run: (desk) => desk.reload(),
  },
  {
    name: 'hook_check',
    title: 'Check hook files',
    description: 'Validates hook files and audits what they would run, without running anything. Use it after you have written a hook.',
    input: object({
      paths: { type: 'array', items: { type: 'string' }, description: 'Files or folders of the project. Default: every hook file.' },
    }),
    output: result({ diagnostics: DIAGNOSTICS, hooks: { type: 'number', description: 'How many hooks the files define.' } }),
    run: (desk, { paths }) => desk.check((paths as readonly string[] | undefined) ?? []),
  },
  {
    name: 'hook_plan',
    title: 'Plan an event',
    description: 'Shows which hooks an event would reach, in what order, and why the others would not run. Runs nothing.',
    input: object(
      {
        event: text('A canonical kind such as `tool.before`, or with `as` the name that a format gives the event.'),
        as: text('The format of `event` and `payload`. Default: canonical.'),
        tool: text('The name of the tool, for events about tools.'),
        input: { type: 'object', description: 'The input of the tool.' },
        payload: { type: 'object', description: 'The whole payload, in place of `tool` and `input`.' },
      },
      ['event'],
    ),
    output: result({
      kind: text('The canonical kind.'),
      hooks: list('The hooks that would run, in order, then the others, each with `runs` and `why`.'),
    }),
    run: (desk, input) => desk.plan(input as unknown as PlannedEvent),
  },
  {
    name: 'hook_why',
    title: 'Explain a decision',
    description:
      'Explains one decision of this project in sentences: which hooks ran, what each returned, and why the outcome followed. Default: the last one.',
    input: object({
      id: text('The id of a decision, or the start of it.'),
      lastDeny: { type: 'boolean', description: 'Explain the last action that was denied.' },
    }),
    output: result({ id: text('The id of the decision.'), story: { type: 'array', items: { type: 'string' } }, entry: { type: 'object' } }),
    run: (desk, wanted) => desk.why(wanted),
  },
];
