/** Wrappers among development tools: package runners, terminals, editors, archivers, databases. */
import { AFTER_DASHES, ALL, PLAIN, WHOLE, type Wrapper } from './wrapper.ts';

const TYPED: Wrapper = { valued: 'dMmPpksS', rest: 'keys' };
const TYPES: Wrapper = { verbs: { type: { long: 'delay window', rest: 'keys' } } };
const DOTENV: Wrapper = { valued: 'efvpo', long: 'file' };
const VIM =
  /(?:^|[|:\n])[ \t]{0,8}(?:sil\w*!?\s+|exe\w*\s+["'])?(?:r(?:ead)?\s*|w(?:rite)?\s*|te\w*\s+)?!\s*(.+)$|(?:system(?:list)?|execute|popen|call|run)\(["'](.+?)["']/s;
const DEBUGGER = { options: 'ex iex eval-command init-eval-command', pattern: /^\s*(?:!|shell\s+|make\s+)(.+)$/s };
const PACKAGE_RUN: Wrapper = { valued: 'pw', long: 'package workspace node-options shell registry cache prefix', code: 'c call' };
const TMUX_SHELL: Wrapper = { valued: 'cefFnstxylp', rest: 'code' };
const TMUX_BOUND: Wrapper = { valued: 'TN', operands: 1, ends: true, becomes: 'tmux' };
const TMUX_POPUP: Wrapper = { valued: 'bcdehsStTwxy', rest: 'code' };
const TMUX_PANES =
  'new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window respawnw run-shell run if-shell if pipe-pane pipep';
const RUNS: Wrapper = {
  verbs: { run: { long: 'env-file group with python extra package project directory config env project-dir', valued: 'npefcw' } },
};
const EXECS: Wrapper = { verbs: { exec: PLAIN } };
const TERMINAL: Wrapper = { starts: 'e x exec execute', operands: ALL, single: true };
const NIX: Wrapper = { starts: 'c command', operands: ALL, valued: 'If', long: 'option arg argstr include' };
const OWN_VALUES = 'root home dialect only policy skills plugins hooks trust-hook trust-lock store name session port';

export const TOOL_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, rest: 'code' },
  dotenv: DOTENV,
  'dotenv-cli': DOTENV,
  'env-cmd': { valued: 'frE', long: 'file environments' },
  hyperfine: {
    valued: 'wmMrSsnuPDL',
    long: 'warmup min-runs max-runs runs style time-unit export-json export-markdown export-csv command-name',
    code: 'p prepare setup c cleanup conclude',
    rest: 'codes',
  },
  concurrently: { valued: 'ncps', long: 'names prefix-colors prefix restart-tries success', rest: 'codes' },
  entr: PLAIN,
  watchexec: { valued: 'wefisdof', long: 'watch exts filter ignore signal debounce shell', rest: 'code' },
  hwatch: { valued: 'nlABLs', rest: 'code' },
  chokidar: { operands: ALL, code: 'c command', valued: 'didtpi' },
  nodemon: { valued: 'xwei', long: 'watch ext ignore', code: 'x exec', operands: ALL },
  gdb: { starts: 'args', operands: ALL, single: true, keyed: DEBUGGER },
  lldb: {
    valued: 'fnpw',
    keyed: { options: 'o one-line O one-line-before-file', pattern: /^\s*(?:platform\s+)?shell\s+(.+)$/s },
    operands: ALL,
  },
  hookline: { verbs: { mcp: { long: OWN_VALUES, verbs: { proxy: { long: OWN_VALUES } } } } },
  npx: PACKAGE_RUN,
  bunx: PACKAGE_RUN,
  pnpx: PACKAGE_RUN,
  npm: { long: 'prefix workspace', verbs: { exec: PACKAGE_RUN, x: PACKAGE_RUN } },
  pnpm: { valued: 'CF', long: 'dir filter', verbs: { dlx: PACKAGE_RUN, exec: PACKAGE_RUN } },
  yarn: { verbs: { dlx: { valued: 'p' }, exec: { rest: 'code' } } },
  uvx: { valued: 'p', long: 'from with python index-url' },
  uv: {
    verbs: {
      run: { valued: 'p', long: 'with python extra group package project directory env-file' },
      tool: { verbs: { run: { long: 'from with python' } } },
    },
  },
  pipx: { verbs: { run: { long: 'spec python pip-args' } } },
  poetry: { verbs: { run: PLAIN } },
  pipenv: { verbs: { run: PLAIN } },
  hatch: RUNS,
  pdm: RUNS,
  rye: RUNS,
  conda: { verbs: { run: { valued: 'np', long: 'name prefix cwd' } } },
  mamba: { verbs: { run: { valued: 'np', long: 'name prefix cwd' } } },
  bundle: EXECS,
  rbenv: EXECS,
  pyenv: EXECS,
  asdf: EXECS,
  mise: { verbs: { exec: { ...AFTER_DASHES, code: 'c command' }, x: { ...AFTER_DASHES, code: 'c command' } } },
  direnv: { verbs: { exec: { operands: 1 } } },
  doppler: { verbs: { run: { dashed: true, operands: ALL, code: 'command' } } },
  op: { verbs: { run: AFTER_DASHES } },
  infisical: { verbs: { run: { dashed: true, operands: ALL, code: 'command' } } },
  dotenvx: { verbs: { run: AFTER_DASHES } },
  'aws-vault': { verbs: { exec: AFTER_DASHES } },
  chamber: { verbs: { exec: AFTER_DASHES } },
  'nix-shell': { operands: ALL, code: 'run command', long: 'option arg argstr', valued: 'AIpj' },
  nix: { verbs: { develop: NIX, shell: NIX } },
  tmux: {
    chained: true,
    valued: 'LSfT',
    code: 'c',
    verbs: {
      ...Object.fromEntries(TMUX_PANES.split(' ').map((verb) => [verb, TMUX_SHELL])),
      'bind-key': TMUX_BOUND,
      bind: TMUX_BOUND,
      popup: TMUX_POPUP,
      'display-popup': TMUX_POPUP,
      'send-keys': { valued: 'tN', rest: 'keys' },
      send: { valued: 'tN', rest: 'keys' },
    },
  },
  screen: { valued: 'cehpstTS', idle: /^-(ls|list|wipe|r|x)$/, starts: 'X' },
  // The text of `screen -X stuff` is typed into a shell.
  stuff: TYPED,
  xdotool: TYPES,
  ydotool: TYPES,
  wtype: TYPED,
  xterm: TERMINAL,
  'gnome-terminal': { ...TERMINAL, ...AFTER_DASHES, starts: '', code: 'command' },
  konsole: TERMINAL,
  alacritty: TERMINAL,
  'x-terminal-emulator': TERMINAL,
  tar: {
    valued: 'fCTXbgHKLNV',
    long: 'file directory files-from exclude-from format owner group mode transform',
    operands: ALL,
    code: 'I use-compress-program to-command F info-script new-volume-script rsh-command rmt-command',
    keyed: { options: 'checkpoint-action', pattern: /^exec=(.+)$/s },
  },
  zip: { operands: ALL, code: 'TT unzip-command', valued: 'ixtbnP' },
  man: { operands: ALL, code: 'P pager H html', valued: 'LmMSseErRpC' },
  vim: { operands: ALL, keyed: { options: 'c S cmd +', pattern: VIM }, valued: 'uiUTWwt' },
  ed: { operands: ALL, stdin: /^[ \t]*[ewr]?[ \t]?!(.+)$/gm },
  at: { operands: ALL, valued: 'fqt', stdin: WHOLE, idle: /^-[lrdcV]/ },
  batch: { stdin: WHOLE },
  crontab: { operands: ALL, valued: 'u', idle: /^-[lrT]/, stdin: /^[ \t]*(?:(?:[^\s#]+[ \t]+){5}|@\w+[ \t]+)(.+)$/gm },
  psql: {
    operands: ALL,
    valued: 'dfhpUvLoPRFT',
    keyed: { options: 'c command', pattern: /\\!\s*(.+)$|\bprogram\s+'((?:[^']|'')+)'/is },
    stdin: /\\!(.+)$/gm,
  },
  mysql: {
    operands: ALL,
    valued: 'hPuDS',
    keyed: { options: 'e execute', pattern: /^\s*(?:\\!|system\s)\s*(.+)$/s },
    stdin: /^[ \t]*(?:\\!|system[ \t])(.+)$/gm,
  },
  sqlite3: {
    operands: ALL,
    keyed: { options: 'cmd *', pattern: /^\s*\.(?:shell|system)\s+(.+)$/s },
    single: true,
    stdin: /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm,
  },
  make: {
    operands: ALL,
    valued: 'CfIjloW',
    keyed: { options: 'eval E *', pattern: /\$[({]shell\s+([^)}]+)|^(?:SHELL|CC|CXX|MAKE)=(.+)$/s },
    stdin: /^\t[@+-]*(.+)$/gm,
  },
  less: { operands: ALL, keyed: { options: '+ k', pattern: /^!\s*(.+)$/s }, valued: 'bhjkoOpPtTxyz' },
  more: { operands: ALL, keyed: { options: '+', pattern: /^!\s*(.+)$/s }, valued: 'n' },
  split: { operands: ALL, code: 'filter', valued: 'abClnt' },
  sort: { operands: ALL, code: 'compress-program', valued: 'koStT' },
  tcpdump: { operands: ALL, code: 'z', valued: 'BcCEFGiIjMrsTVwWyQ' },
  wget: { operands: ALL, code: 'use-askpass', valued: 'aAeiIlDoOPQRtTUwXB' },
  nmap: { operands: ALL, keyed: { options: 'script', pattern: /os\.execute\(["'](.+?)["']\)/ }, valued: 'pioS', single: true },
  ansible: { operands: ALL, code: 'a args', valued: 'iuemMfklB' },
  salt: { operands: 2, rest: 'code', valued: 'tb', long: 'timeout batch-size out' },
  pdsh: { valued: 'wxlfRt', rest: 'code' },
  pssh: { valued: 'hHlptoexA', operands: 0, rest: 'code' },
  clush: { valued: 'wxgXfl', rest: 'code' },
  zellij: { verbs: { run: AFTER_DASHES, action: { verbs: { 'write-chars': TYPED, 'new-pane': AFTER_DASHES } } } },
  pueue: { verbs: { add: { valued: 'gpla', rest: 'code' } } },
  lerna: { verbs: { exec: AFTER_DASHES } },
  nx: { verbs: { exec: AFTER_DASHES } },
  devbox: { verbs: { run: { rest: 'code' } } },
  pixi: { verbs: { run: PLAIN, exec: PLAIN } },
  flox: { verbs: { activate: AFTER_DASHES } },
  tox: { verbs: { exec: AFTER_DASHES } },
  ag: { operands: ALL, code: 'pager', valued: 'ABCGmp' },
  rg: { operands: ALL, code: 'pre hostname-bin', valued: 'eABCEgjmMrtTdf', long: 'glob type regexp file' },
  fzf: {
    operands: ALL,
    code: 'preview',
    keyed: { options: 'bind', pattern: /(?:execute|reload|become)(?:-silent)?[(:](.+?)\)?$/ },
    valued: 'qndf',
  },
  fd: { starts: 'x exec X exec-batch', operands: ALL, valued: 'edEtSj' },
  fdfind: { starts: 'x exec X exec-batch', operands: ALL, valued: 'edEtSj' },
  go: { operands: ALL, single: true, code: 'toolexec exec vettool' },
  cargo: {
    operands: ALL,
    code: 's shell',
    keyed: { options: 'config', pattern: /(?:wrapper|runner|linker|rustc)\s*=\s*\[?\s*["'](.+?)["']/s },
  },
  hg: { operands: ALL, keyed: { options: 'config', pattern: /=!(.+)$/s } },
  'apt-get': { operands: ALL, keyed: { options: 'o option', pattern: /(?:Invoke|Install-Pkgs)[\w:-]*=(.+)$/s }, valued: 'ct' },
  java: { operands: ALL, single: true, code: 'XX:OnOutOfMemoryError XX:OnError' },
  mutt: { operands: ALL, keyed: { options: 'e', pattern: /`([^`]+)`|shell-escape>?(.+)/ } },
};
