/**
 * The tools of agents as data: which run shell commands, which use files, and which keys hold the command or the path. Names and keys are
 * compared without case and separators. A tool's name is compared without its prefix (`mcp__server__`, `Module.`).
 */
import { TOOL_ROWS } from '../../core/event/tool-names.ts';
import { lazily } from '../lazily.ts';
import type { Language } from './languages.ts';

export type FileUse = 'write' | 'delete' | 'read';

export interface FileTool {
  readonly use: FileUse;
  /** A value in the input that makes the call a read, for example `command: view`. */
  readonly looks?: { readonly key: string; readonly words: readonly string[] };
  /** How the tool uses the source file. */
  readonly from?: FileUse;
}

export type ToolKind =
  /** It runs commands. `mayBeBare`: it also has uses without a command. */
  | { readonly does: 'run'; readonly mayBeBare?: true }
  /** It types into a running program. */
  | { readonly does: 'type' }
  /** It runs code. `language`: of all its code. */
  | { readonly does: 'code'; readonly language?: Language }
  | ({ readonly does: 'file' } & FileTool)
  | { readonly does: 'patch' }
  /** It calls other tools, which its input names. */
  | { readonly does: 'call' }
  /** It neither runs commands nor opens files, although its input may look so. */
  | { readonly does: 'look' }
  | { readonly does: 'other' };

export function toolKind(name: string): ToolKind {
  return kindNamed(normalizeName(name.replace(/^.*(?:__|[./:])/s, ''))) ?? kindNamed(normalizeName(name)) ?? { does: 'other' };
}

/** Returns the words of a name in lower case: `run_pythonCode` has `run`, `python` and `code`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replace(/PowerShell|JavaScript|TypeScript|AppleScript|NodeJS|IPython/g, (word) => `_${word.toLowerCase()}_`)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** Keys that hold a command. In an unknown tool they count at any depth. */
export const COMMAND_KEYS: ReadonlySet<string> = keys('command cmd commands shell_command bash_command command_line argv');
/** Keys that hold a program, which need not be shell code. */
export const PROGRAM_KEYS: ReadonlySet<string> = keys('script code');
/** More keys that hold a program, if the tool runs code. */
export const CODE_KEYS: ReadonlySet<string> = keys(
  'source source_code input text cell expression function snippet program body javascript js python py',
);
/** Keys that name the language of a program. */
export const LANGUAGE_KEYS: ReadonlySet<string> = keys('language lang kernel kernel_name runtime interpreter shell');
/** Keys under which a tool that calls other tools names the tool, and gives its input. */
export const CALLED_KEYS: ReadonlySet<string> = keys('name tool tool_name recipient_name');
export const CALLED_INPUT_KEYS: ReadonlySet<string> = keys('arguments parameters params args input tool_input');
/** Keys whose presence shows that a tool writes the file it names. */
export const CONTENT_KEYS: ReadonlySet<string> = keys(
  'content contents file_text new_string new_str new_text new_source edits text data body patch diff lines',
);
/** Keys that hold a statement for a database. All but `sql` do so only in a tool whose name speaks of one. */
export const SQL_KEYS: ReadonlySet<string> = keys('sql sql_query query queries statement statements');
/** Keys that hold the address that a tool fetches. */
export const ADDRESS_KEYS: ReadonlySet<string> = keys('url urls uri href address link endpoint');
export const FOLDER_KEYS: ReadonlySet<string> = keys('cwd workdir work_dir working_directory directory dir_path');
export const PATH_KEYS: ReadonlySet<string> = keys(
  'file_path path filename file_name file target_file target_path notebook_path absolute_path relative_path relative_workspace_path uri file_uri paths file_paths files file_names dir_path directory_path folder',
);
export const SOURCE_KEYS: ReadonlySet<string> = keys('source src from old_path source_path source_file from_path');
export const TARGET_KEYS: ReadonlySet<string> = keys(
  'destination dest to new_path destination_path destination_file to_path target new_name',
);
export const PATCH_KEYS: ReadonlySet<string> = keys('patch input diff content patch_text changes command');
/** Maps with paths as keys. */
export const CHANGE_KEYS: ReadonlySet<string> = keys('changes file_changes');

export function normalizeName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function keys(names: string): ReadonlySet<string> {
  return new Set(names.replaceAll('_', '').split(' '));
}

const VIEW = { key: 'command', words: ['view'] };
const NAMES: readonly (readonly [ToolKind, string])[] = [
  [
    { does: 'run' },
    `bash shell sh zsh fish powershell pwsh cmd bash_tool shell_tool run_bash run_shell run_shell_command shell_command run_command
    exec exec_command execute execute_command execute_bash execute_shell execute_shell_command run_terminal_cmd run_terminal_command
    run_in_terminal local_shell local_shell_call container_exec unified_exec terminal terminal_command run_script start_process
    developer_shell command_line bash_command pre_run_command run_commands execute_commands launch_process run_process`,
  ],
  [{ does: 'run', mayBeBare: true }, 'monitor'],
  [
    { does: 'type' },
    `write_stdin write_bash write_powershell write_shell send_input send_keys send_text send_to_terminal write_to_terminal write_process
    interact_with_process type_text`,
  ],
  [{ does: 'code', language: 'js' }, 'workflow js_repl node_repl browser_evaluate browser_run_code evaluate_script javascript_tool'],
  [
    { does: 'code' },
    `repl code_interpreter code_execution code_exec execute_code run_code eval_code evaluate_code run_cell execute_cell run_notebook_cell
    python ipython jupyter python_repl python_exec run_python run_python_code execute_python execute_python_code python_interpreter
    javascript run_javascript execute_javascript run_js execute_js node run_node`,
  ],
  [
    { does: 'file', use: 'write' },
    `write write_file create create_file file_write save_file create_new_file write_to_file overwrite_file append_file append_to_file edit
    edit_file file_edit multi_edit multi_edit_file notebook_edit edit_notebook edit_notebook_file replace replace_in_file insert
    insert_edit_into_file search_replace update_file fs_write modify_file str_replace insert_content create_text_file edit_block
    write_text_file str_replace_file create_directory make_directory mkdir`,
  ],
  [{ does: 'file', use: 'write', looks: VIEW }, 'str_replace_editor str_replace_based_edit_tool text_editor editor'],
  [{ does: 'patch' }, 'apply_patch apply_diff patch patch_file'],
  [{ does: 'file', use: 'delete' }, 'delete delete_file remove_file file_delete delete_path delete_directory remove_directory'],
  [{ does: 'file', use: 'write', from: 'delete' }, 'move move_file rename_file file_move rename'],
  [{ does: 'file', use: 'write', from: 'read' }, 'copy_file file_copy'],
  [
    { does: 'file', use: 'read' },
    `read read_file read_files file_read view view_file view_image cat open_file fs_read read_many_files read_multiple_files read_text_file
    notebook_read get_file_contents grep grep_search search_file_content`,
  ],
  [
    { does: 'call' },
    'tool_call call_tool use_tool invoke_tool execute_tool run_tool use_mcp_tool batch batch_tool multi_tool_use_parallel parallel',
  ],
  [{ does: 'look' }, 'slash_command directory_tree get_file_info'],
];

/** The rows of tools that look around, delegate or plan. */
const LOOKS: ReadonlySet<string> = new Set(['find', 'list', 'fetch', 'web-search', 'agent', 'todo', 'skill', 'question']);

/** Each kind with its names as one text, which is searched: an event asks about one name, so a map would cost more. */
const TEXTS = lazily(() => NAMES.map(([kind, names]) => ({ kind, names: ` ${names.replaceAll('_', '').replace(/\s+/g, ' ')} ` })));

function kindNamed(name: string): ToolKind | undefined {
  const known = TEXTS().find(({ names }) => names.includes(` ${name} `));
  if (known) return known.kind;
  const looks = TOOL_ROWS.some((row) => LOOKS.has(row.does) && row.names.some((other) => normalizeName(other) === name));
  return looks ? { does: 'look' } : undefined;
}
