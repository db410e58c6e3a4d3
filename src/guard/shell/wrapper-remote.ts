/** Commands that run what they are given elsewhere: on another machine, or in a container. */
import { AFTER_DASHES, ALL, WHOLE, type Wrapper } from './wrapper.ts';

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
