/** Wrappers that run a command on another machine or in a container. */
import { AFTER_DASHES, ALL, PLAIN, WHOLE, type Wrapper } from './wrapper.ts';

const SSH_OPTION = { options: 'o', pattern: /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)\s*[=\s]\s*(.+)$/is };
const CONTAINER_RUN: Wrapper = {
  valued: 'acehlmpuvw',
  long: `name network net volume env publish user workdir memory cpus label mount hostname platform restart env-file add-host dns device
    cap-add cap-drop security-opt ulimit tmpfs log-driver log-opt gpus ipc pid shm-size pull cidfile expose link ip runtime stop-signal
    volumes-from userns uts group-add health-cmd annotation cgroup-parent cpu-shares memory-swap storage-opt sysctl blkio-weight cpuset-cpus
    attach detach-keys mac-address network-alias pids-limit volume-driver pod authfile arch os variant`.replace(/\s+/g, ' '),
  splits: 'entrypoint',
  operands: 1,
  ends: true,
};
const CONTAINER_EXEC: Wrapper = { valued: 'euw', long: 'env user workdir env-file detach-keys index', operands: 1, ends: true };
const COMPOSE: Wrapper = {
  valued: 'fp',
  long: 'file project-name profile env-file project-directory ansi parallel',
  verbs: { exec: CONTAINER_EXEC, run: { ...CONTAINER_RUN, valued: 'eluvwp' } },
};
const CONTAINERS: Wrapper = {
  valued: 'Hlc',
  long: 'host context config log-level url connection namespace',
  verbs: {
    exec: CONTAINER_EXEC,
    run: CONTAINER_RUN,
    compose: COMPOSE,
    container: { verbs: { exec: CONTAINER_EXEC, run: CONTAINER_RUN } },
  },
};
const KUBERNETES: Wrapper = {
  valued: 'ns',
  long: 'namespace context kubeconfig cluster user server',
  verbs: {
    exec: { dashed: true, operands: ALL, valued: 'cnf', long: 'container namespace filename' },
    run: { dashed: true, operands: ALL },
    debug: { dashed: true, operands: ALL },
  },
};

export const REMOTE_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  ssh: { valued: 'BbcDEeFIiJLlmOpQRSWw', operands: 1, rest: 'code', keyed: SSH_OPTION, stdin: WHOLE },
  slogin: { valued: 'BbcDEeFIiJLlmOpQRSWw', operands: 1, rest: 'code', keyed: SSH_OPTION },
  mosh: { long: 'predict family port', code: 'ssh', operands: 1 },
  autossh: { valued: 'MBbcDEeFIiJLlmOpQRSWw', operands: 1, rest: 'code', keyed: SSH_OPTION },
  scp: { valued: 'cDFiJlPX', operands: ALL, code: 'S', keyed: SSH_OPTION },
  sftp: { valued: 'BbcDFiJlPRsX', operands: ALL, code: 'S', keyed: SSH_OPTION, stdin: /^[ \t]*-?!(.+)$/gm },
  'ssh-copy-id': { valued: 'ipF', operands: ALL, keyed: SSH_OPTION },
  rsync: { valued: 'fBTM', long: 'files-from exclude include exclude-from include-from', operands: ALL, code: 'e rsh rsync-path' },
  vagrant: { verbs: { ssh: { code: 'c command', operands: ALL } } },
  multipass: { verbs: { exec: AFTER_DASHES } },
  lxc: { verbs: { exec: AFTER_DASHES } },
  incus: { verbs: { exec: AFTER_DASHES } },
  limactl: { verbs: { shell: { operands: 1, long: 'workdir shell' } } },
  wsl: { valued: 'du', long: 'distribution user cd', starts: 'e exec' },
  docker: CONTAINERS,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  kubectl: KUBERNETES,
  oc: KUBERNETES,
  k3s: { verbs: { kubectl: KUBERNETES } },
};

/** Wrappers of the system that run a command as another user, with other limits, under observation or later. */

export const SYSTEM_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: 'ugpCchRTtr',
    long: 'user group prompt host chroot close-from role type other-user',
    assigns: true,
    chdir: 'D chdir',
    idle: /^-[lvkKeV]$|^--(list|validate|remove-timestamp|edit)$/,
  },
  doas: { valued: 'uCa', idle: /^-L$/ },
  run0: { valued: 'ug', long: 'user group', chdir: 'D chdir' },
  pkexec: { long: 'user' },
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  env: {
    valued: 'P',
    long: '',
    assigns: true,
    splits: 'S split-string',
    unsets: 'u unset',
    clears: 'i ignore-environment',
    chdir: 'C chdir',
  },
  command: { idle: /^-p?[vV]p?$/ },
  builtin: PLAIN,
  exec: { valued: 'a', clears: 'c' },
  nohup: PLAIN,
  setsid: PLAIN,
  disown: PLAIN,
  nice: { valued: 'n', long: 'adjustment' },
  ionice: { valued: 'cn', long: 'class classdata', idle: /^-[pPu]/ },
  chrt: { valued: 'TPD', operands: 1, idle: /^-[pm]$/ },
  taskset: { operands: 1, idle: /^-p/ },
  numactl: { valued: 'NCmipl', long: 'membind cpunodebind physcpubind interleave preferred' },
  prlimit: PLAIN,
  setarch: { operands: 1 },
  linux32: PLAIN,
  linux64: PLAIN,
  stdbuf: { valued: 'ioe', long: 'input output error' },
  unbuffer: PLAIN,
  rlwrap: { valued: 'bBcCDfFgHlmnOpPqsStTwWzi' },
  chronic: PLAIN,
  eatmydata: PLAIN,
  ccache: PLAIN,
  sccache: PLAIN,
  fakeroot: { valued: 'lsi', long: 'lib faked' },
  faketime: { valued: 'f', operands: 1 },
  proxychains: { valued: 'f' },
  proxychains4: { valued: 'f' },
  torsocks: { valued: 'aPu' },
  torify: PLAIN,
  tini: { valued: 'pe' },
  'dumb-init': { valued: 'r' },
  firejail: PLAIN,
  'xvfb-run': { valued: 'efnpsw', long: 'server-num server-args error-file auth-file' },
  'dbus-run-session': { long: 'config-file dbus-daemon' },
  timeout: { valued: 'sk', long: 'signal kill-after', operands: 1 },
  gtimeout: { valued: 'sk', long: 'signal kill-after', operands: 1 },
  time: { valued: 'of', long: 'output format' },
  gtime: { valued: 'of', long: 'output format' },
  watch: { valued: 'nsq', long: 'interval equexit', rest: 'code' },
  flock: { valued: 'wE', long: 'wait timeout conflict-exit-code', operands: 1, code: 'c command' },
  chroot: { long: 'userspec groups', operands: 1 },
  unshare: { valued: 'SGR', long: 'root wd setuid setgid map-user map-group' },
  nsenter: { valued: 'tSG', long: 'target setuid setgid' },
  bwrap: { long: 'chdir setenv unsetenv proc dev tmpfs dir hostname uid gid seccomp' },
  strace: { valued: 'eoOpPsSuXabIE', long: 'output trace user expr attach string-limit' },
  ltrace: { valued: 'aAeFlnosuxXp' },
  perf: {
    verbs: {
      stat: { valued: 'eopCIr', long: 'event output repeat' },
      record: { valued: 'eopCFcm', long: 'event output freq' },
      trace: { valued: 'eop' },
    },
  },
  valgrind: PLAIN,
  caffeinate: { valued: 'tw' },
  'systemd-run': {
    valued: 'pECtHMu',
    long: 'unit property setenv uid gid slice on-calendar on-active on-boot working-directory description nice host machine',
  },
  'systemd-inhibit': { long: 'what who why mode' },
  cgexec: { valued: 'g' },
  runcon: { valued: 'utrlc', long: 'user role type range' },
  setpriv: { long: 'reuid regid groups ruid euid rgid egid inh-caps bounding-set ambient-caps' },
  busybox: { idle: /^--(list|list-full|install)/ },
  toybox: PLAIN,
  su: { valued: 'gGsTw', long: 'group supp-group shell', operands: ALL, code: 'c command session-command', stdin: WHOLE },
  runuser: { valued: 'ugGsw', long: 'user group shell', operands: ALL, freed: 'u user', code: 'c command session-command' },
  sg: { operands: 1, code: 'c' },
  script: { valued: 'IOBTtmEo', operands: 1, code: 'c command' },
};
