/** Variables with a program, shell code or further words as their value, and the commands that use them, as data. */
const PAGED =
  'man|git|psql|systemctl|journalctl|loginctl|aws|gh|bat|delta|mysql|perldoc|pydoc|gcloud|help|less|apropos|whatis|timedatectl|coredumpctl|resolvectl|sudo|zless';
const EDITED =
  'sudoedit|sudo|crontab|visudo|git|hg|svn|kubectl|oc|systemctl|fc|less|vipw|vigr|gh|psql|mutt|npm|yarn|bundle|gem|edquota|chfn|ranger|mc|nnn|bpytop|mysql|virsh|rake|rails|ansible-vault|pass|chezmoi|jj|helm|sops|dvc|task|jrnl|p4|cvs|tig';
const BUILDS = 'make|gmake|cargo|go|cmake|ninja|meson|configure|npm|pip3?|python[\\d.]*|vim|vi|script|tmux|screen|node-gyp|bundle|gem';

/** `file`: the program gets the files of the command. */
const VARIABLES: readonly { readonly names: RegExp; readonly users: RegExp; readonly file?: true }[] = [
  {
    names: /^(?:PAGER|MANPAGER|GIT_PAGER|SYSTEMD_PAGER|BAT_PAGER|AWS_PAGER|PSQL_PAGER|GH_PAGER|DELTA_PAGER|MANROFFOPT|MANOPT)$/,
    users: new RegExp(`^(?:${PAGED})$`),
  },
  { names: /^(?:LESSOPEN|LESSCLOSE)$/, users: new RegExp(`^(?:${PAGED}|more)$`) },
  {
    names:
      /^(?:EDITOR|VISUAL|(?:SUDO|GIT|KUBE|SYSTEMD|SVN|PSQL|JJ|GH|BUNDLER|GEM|GIT_SEQUENCE)_EDITOR|FCEDIT|HGEDITOR|LESSEDIT|P4EDITOR|CVSEDITOR)$/,
    users: new RegExp(`^(?:${EDITED})$`),
    file: true,
  },
  {
    names: /^(?:BROWSER|GH_BROWSER)$/,
    users: /^(?:gh|xdg-open|python[\d.]*|jupyter|npm|git|man|sensible-browser|www-browser|vite|next|gcloud|aws|firebase|vercel)$/,
  },
  {
    names: /^(?:RSYNC_RSH|RSYNC_CONNECT_PROG|CVS_RSH|SVN_SSH|GIT_SSH_COMMAND|GIT_SSH|BORG_RSH|RESTIC_SFTP_COMMAND)$/,
    users: /^(?:rsync|cvs|svn|borg|restic)$/,
  },
  {
    names: /^(?:SUDO_ASKPASS|SSH_ASKPASS|GIT_ASKPASS|SYSTEMD_ASK_PASS|BORG_PASSCOMMAND|RESTIC_PASSWORD_COMMAND)$/,
    users: /^(?:sudo|ssh|ssh-add|ssh-copy-id|scp|sftp|rsync|systemctl|borg|restic)$/,
  },
  {
    names:
      /^(?:CC|CXX|CPP|LD|AR|NM|AS|FC|RANLIB|STRIP|LEX|YACC|HOSTCC|PKG_CONFIG|SHELL|RUSTC|RUSTDOC|(?:\w+_)?RUSTC_(?:WORKSPACE_)?WRAPPER|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|CMAKE_\w+_COMPILER_LAUNCHER)$/,
    users: new RegExp(`^(?:${BUILDS})$`),
  },
  { names: /^(?:npm_config_script_shell|NPM_CONFIG_SCRIPT_SHELL)$/, users: /^(?:npm|npx|pnpm|yarn)$/ },
  { names: /^(?:TERMINAL|XDG_CURRENT_DESKTOP_OPENER)$/, users: /^(?:i3-sensible-terminal|xdg-terminal-exec|xdg-open)$/ },
  { names: /^(?:SPLIT_FILTER|TAPE_RSH|RSH)$/, users: /^(?:split|tar|cpio)$/ },
  { names: /^(?:KUBECTL_EXTERNAL_DIFF|FZF_DEFAULT_COMMAND|FZF_CTRL_T_COMMAND)$/, users: /^(?:kubectl|oc|fzf)$/ },
];

/** Variables with further words of a command. `option`: the whole value is the value of this option. `pairs`: an option and its value are two words. */
const WORDS: Readonly<Record<string, { readonly users: RegExp; readonly option?: string; readonly pairs?: true }>> = {
  TAR_OPTIONS: { users: /^g?tar$/ },
  MAKEFLAGS: { users: /^g?make$/ },
  GNUMAKEFLAGS: { users: /^g?make$/ },
  MAKEFILES: { users: /^g?make$/, option: '-f' },
  ANSIBLE_SSH_ARGS: { users: /^ansible/ },
  ZIPOPT: { users: /^zip$/ },
  UNZIP: { users: /^unzip$/ },
  LESS: { users: /^less$/ },
  RSYNC_OPTIONS: { users: /^rsync$/ },
  FZF_DEFAULT_OPTS: { users: /^fzf$/ },
  VIMINIT: { users: /^(?:g|r)?vim$|^vi$|^ex$|^view$|^nvim$/, option: '-c' },
  EXINIT: { users: /^(?:g|r)?vim$|^vi$|^ex$|^view$/, option: '-c' },
  LUA_INIT: { users: /^lua[\d.]*$/, option: '-e' },
  LUA_INIT_5_4: { users: /^lua[\d.]*$/, option: '-e' },
  LUA_INIT_5_3: { users: /^lua[\d.]*$/, option: '-e' },
  ERL_FLAGS: { users: /^(?:erl|escript)$/, pairs: true },
  ERL_AFLAGS: { users: /^(?:erl|escript)$/, pairs: true },
  ERL_ZFLAGS: { users: /^(?:erl|escript)$/, pairs: true },
};
/** Programs of a variable that do nothing, or that people really use. */
const USUAL =
  /^(?:|cat|less|more|most|true|false|:|vi|vim|nvim|nano|emacs|ed|code|subl|micro|hx|helix|kak|bat|delta|ssh|sh|bash|zsh|\/bin\/(?:ba|z|da)?sh|gcc|cc|clang|g\+\+|clang\+\+|sccache|ccache|firefox|google-chrome|open|xdg-open|none|\/usr\/bin\/\w+|lesspipe(?:\.sh)?)(?: --?[\w=-]+)*(?: %s)?$/;

export interface VariableCode {
  readonly variable: string;
  readonly code: string;
}

/** Returns the shell code that a command takes from its environment. */
export function variableCode(name: string, argv: readonly string[], env: Readonly<Record<string, string>>): readonly VariableCode[] {
  const codes: VariableCode[] = [];
  for (const variable in env) {
    const value = (env[variable] ?? '').replace(/^[|-]+\s*/, '');
    const row = USUAL.test(value) ? undefined : VARIABLES.find(({ names, users }) => names.test(variable) && users.test(name));
    const file = row?.file ? argv.slice(1).find((word) => /^[~/]/.test(word)) : undefined;
    if (row !== undefined) codes.push({ variable, code: value.replaceAll('%s', 'file') + (file === undefined ? '' : ` ${file}`) });
    // Go runs this program in place of each of its tools.
    const tool = variable === 'GOFLAGS' && name === 'go' ? /-(?:toolexec|exec)=(.+)$/s.exec(env[variable] ?? '')?.[1] : undefined;
    if (tool !== undefined) codes.push({ variable, code: tool });
    // A function of the shell that the environment carries.
    if (/^BASH_FUNC_\w+(?:%%|\(\))$/.test(variable)) codes.push({ variable, code: value.replace(/^\(\)\s*/, '') });
  }
  return codes;
}

/** Returns the words that a command takes from its environment. */
export function variableWords(name: string, env: Readonly<Record<string, string>>): readonly string[] {
  for (const variable in env) {
    const row = Object.hasOwn(WORDS, variable) ? WORDS[variable] : undefined;
    if (row === undefined || !row.users.test(name)) continue;
    const value = env[variable] ?? '';
    if (row.option !== undefined) return value === '' ? [] : [row.option, value];
    // A backslash protects a blank, and a command of a pager takes the rest.
    const command = /(?:^|\s)\+.*$/s.exec(value)?.[0].trim();
    if (command !== undefined) return [command];
    return value
      .split(/(?<!\\)\s+(?=-)/)
      .flatMap((word) => (row.pairs ? word.split(/(?<!\\)\s+(.*)/s) : [word]))
      .filter(Boolean)
      .map((word) => word.replace(/\\(\s)/g, '$1'));
  }
  return [];
}
