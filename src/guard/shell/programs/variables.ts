/** Variables with a program or shell code as their value, and the commands that run it, as data. */
const MANY =
  'man|git|psql|systemctl|journalctl|loginctl|aws|gh|bat|delta|mysql|perldoc|pydoc|gcloud|help|less|apropos|whatis|timedatectl|coredumpctl|resolvectl|sudo|zless';
const EDITED =
  'sudoedit|sudo|crontab|visudo|git|hg|svn|kubectl|oc|systemctl|fc|less|vipw|vigr|gh|psql|mutt|npm|yarn|bundle|gem|edquota|chfn|ranger|mc|nnn|bpytop|mysql|virsh|rake|rails|ansible-vault|pass|chezmoi|jj|helm|sops|dvc|task|jrnl';

const VARIABLES: readonly { readonly names: RegExp; readonly users: RegExp }[] = [
  {
    names: /^(?:PAGER|MANPAGER|GIT_PAGER|SYSTEMD_PAGER|BAT_PAGER|AWS_PAGER|PSQL_PAGER|GH_PAGER|DELTA_PAGER|MANROFFOPT|MANOPT)$/,
    users: new RegExp(`^(?:${MANY})$`),
  },
  { names: /^(?:LESSOPEN|LESSCLOSE)$/, users: new RegExp(`^(?:${MANY}|more)$`) },
  {
    names:
      /^(?:EDITOR|VISUAL|SUDO_EDITOR|GIT_EDITOR|FCEDIT|KUBE_EDITOR|SYSTEMD_EDITOR|HGEDITOR|SVN_EDITOR|LESSEDIT|PSQL_EDITOR|GIT_SEQUENCE_EDITOR)$/,
    users: new RegExp(`^(?:${EDITED})$`),
  },
  {
    names: /^(?:BROWSER)$/,
    users: /^(?:gh|xdg-open|python[\d.]*|jupyter|npm|git|man|sensible-browser|www-browser|vite|next|gcloud|aws|firebase|vercel)$/,
  },
  { names: /^(?:RSYNC_RSH|CVS_RSH|SVN_SSH|GIT_SSH_COMMAND|GIT_SSH)$/, users: /^(?:rsync|cvs|svn)$/ },
  { names: /^(?:SUDO_ASKPASS|SSH_ASKPASS)$/, users: /^(?:sudo|ssh|ssh-add|scp|sftp)$/ },
  {
    names:
      /^(?:CC|CXX|LD|AR|HOSTCC|SHELL|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|GOFLAGS|CMAKE_C_COMPILER_LAUNCHER)$/,
    users: /^(?:make|gmake|cargo|go|cmake|ninja|configure|npm|pip3?|python[\d.]*|vim|vi|script|tmux|screen)$/,
  },
  { names: /^(?:TERMINAL|XDG_CURRENT_DESKTOP_OPENER)$/, users: /^(?:i3-sensible-terminal|xdg-terminal-exec|xdg-open)$/ },
  { names: /^(?:SPLIT_FILTER|TAPE_RSH|RSH)$/, users: /^(?:split|tar|cpio)$/ },
];
/** Variables with further words of a command. */
const WORDS: Readonly<Record<string, RegExp>> = {
  TAR_OPTIONS: /^g?tar$/,
  MAKEFLAGS: /^g?make$/,
  GNUMAKEFLAGS: /^g?make$/,
  RIPGREP_CONFIG_PATH: /^$/,
  ANSIBLE_SSH_ARGS: /^ansible/,
  ZIPOPT: /^zip$/,
  UNZIP: /^unzip$/,
  LESS: /^less$/,
  RSYNC_OPTIONS: /^rsync$/,
};
/** Programs of a variable that do nothing, or that people really use. */
const USUAL =
  /^(?:|cat|less|more|most|true|false|:|vi|vim|nvim|nano|emacs|ed|code|subl|micro|hx|helix|kak|bat|delta|ssh|sh|bash|zsh|\/bin\/(?:ba|z|da)?sh|gcc|cc|clang|g\+\+|clang\+\+|sccache|ccache|firefox|google-chrome|open|xdg-open|none|\/usr\/bin\/\w+|lesspipe(?:\.sh)?)(?: --?[\w=-]+)*(?: %s)?$/;

/** Returns the shell code that a command takes from its environment. */
export function variableCode(name: string, env: Readonly<Record<string, string>>): readonly string[] {
  const codes: string[] = [];
  for (const variable in env) {
    const value = (env[variable] ?? '').replace(/^[|-]+\s*/, '');
    if (!USUAL.test(value) && VARIABLES.some(({ names, users }) => names.test(variable) && users.test(name)))
      codes.push(value.replaceAll('%s', 'file'));
    // A function of the shell that the environment carries.
    const exported = /^BASH_FUNC_(\w+)(?:%%|\(\))$/.exec(variable)?.[1];
    if (exported !== undefined) codes.push(value.replace(/^\(\)\s*/, ''));
  }
  return codes;
}

/** Returns the words that a command takes from its environment. */
export function variableWords(name: string, env: Readonly<Record<string, string>>): readonly string[] {
  for (const variable in env) {
    const users = Object.hasOwn(WORDS, variable) ? WORDS[variable] : undefined;
    if (users?.test(name)) return (env[variable] ?? '').split(/\s+(?=-)/).filter(Boolean);
  }
  return [];
}
