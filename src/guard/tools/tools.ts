/**
 * The tools of agents as data: which run shell commands, which use files, and which keys hold the command or the path. Names and keys are
 * compared without case and separators. A tool's name is compared without its prefix (`mcp__server__`, `Module.`).
 */

export type FileUse = 'write' | 'delete' | 'read';

export interface FileTool {
  readonly use: FileUse;
  /** A value in the input that makes the call a read, for example `command: view`. */
  readonly looks?: { readonly key: string; readonly words: readonly string[] };
  /** How the tool uses the source file. */
  readonly from?: FileUse;
}

export type ToolKind =
  | { readonly does: 'run' }
  | { readonly does: 'type' }
  | ({ readonly does: 'file' } & FileTool)
  | { readonly does: 'patch' }
  | { readonly does: 'other' };

export function toolKind(name: string): ToolKind {
  return TOOLS.get(normalizeName(name.replace(/^.*(?:__|[./:])/s, ''))) ?? TOOLS.get(normalizeName(name)) ?? { does: 'other' };
}

/** Returns whether an unknown tool probably runs commands, by the words in its name. */
export function looksLikeShell(name: string): boolean {
  return name
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => SHELL_WORDS.has(word));
}

export const COMMAND_KEYS: ReadonlySet<string> = keys('command cmd script code commands shell_command bash_command command_line');
/** Keys that hold a command at any depth in the input of an unknown tool. */
export const CERTAIN_COMMAND_KEYS: ReadonlySet<string> = keys('command cmd script commands shell_command bash_command command_line');
export const FOLDER_KEYS: ReadonlySet<string> = keys('cwd workdir work_dir working_directory directory dir_path');
export const PATH_KEYS: ReadonlySet<string> = keys(
  'file_path path filename file_name file target_file target_path notebook_path absolute_path relative_path relative_workspace_path uri file_uri paths file_paths dir_path directory_path folder',
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
  return new Set(names.split(' ').map(normalizeName));
}

const SHELL_WORDS: ReadonlySet<string> = new Set(
  'bash shell sh zsh fish terminal exec execute command cmd console powershell pwsh process subprocess'.split(' '),
);

const VIEW = { key: 'command', words: ['view'] };
const NAMES: readonly (readonly [ToolKind, string])[] = [
  [
    { does: 'run' },
    `bash shell sh zsh fish powershell pwsh cmd bash_tool shell_tool run_bash run_shell run_shell_command shell_command run_command
    exec exec_command execute execute_command execute_bash execute_shell execute_shell_command run_terminal_cmd run_terminal_command
    run_in_terminal local_shell local_shell_call container_exec unified_exec terminal terminal_command run_script start_process
    developer_shell command_line bash_command pre_run_command`,
  ],
  [{ does: 'type' }, 'write_stdin send_input send_keys send_to_terminal write_to_terminal'],
  [
    { does: 'file', use: 'write' },
    `write write_file create create_file file_write save_file create_new_file write_to_file overwrite_file append_file append_to_file edit
    edit_file file_edit multi_edit multi_edit_file notebook_edit edit_notebook edit_notebook_file replace replace_in_file insert
    insert_edit_into_file search_replace update_file fs_write modify_file str_replace insert_content create_text_file edit_block
    write_text_file create_directory make_directory mkdir`,
  ],
  [{ does: 'file', use: 'write', looks: VIEW }, 'str_replace_editor str_replace_based_edit_tool text_editor editor'],
  [{ does: 'patch' }, 'apply_patch apply_diff patch patch_file'],
  [{ does: 'file', use: 'delete' }, 'delete delete_file remove_file file_delete delete_path delete_directory remove_directory'],
  [{ does: 'file', use: 'write', from: 'delete' }, 'move move_file rename_file file_move rename'],
  [{ does: 'file', use: 'write', from: 'read' }, 'copy_file file_copy'],
  [
    { does: 'file', use: 'read' },
    `read read_file file_read view view_file view_image cat open_file fs_read read_many_files read_multiple_files read_text_file
    notebook_read get_file_contents grep grep_search search_file_content`,
  ],
];

const TOOLS: ReadonlyMap<string, ToolKind> = new Map(
  NAMES.flatMap(([kind, names]) => names.split(/\s+/).map((name): [string, ToolKind] => [normalizeName(name), kind])),
);
