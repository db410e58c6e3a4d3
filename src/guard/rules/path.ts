/** What a path means to a person: the root, a system folder, the home, a disk… Lexical only: nothing is looked up. */
import { posix } from 'node:path';
import { isDynamic } from '../shell/marks.ts';

export type PathClass =
  | 'root'
  | 'system'
  | 'home'
  | 'secret'
  | 'temp-root'
  | 'disk'
  | 'account'
  | 'startup'
  | 'guard'
  | 'here'
  | 'dynamic'
  | 'other';

const TOP =
  'bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin snap srv sys usr var private System Library Applications Users Volumes cores Windows'.split(
    ' ',
  );
const BELOW: Readonly<Record<string, RegExp>> = {
  usr: /^(bin|sbin|lib\w*|libexec|local|share|include|src)$/,
  var: /^(lib|log|cache|spool|run|mail|db|www|root)$/,
  etc: /^(ssh|ssl|pam\.d|systemd|init\.d|apt|security|default|network|sudoers\.d|cron\.\w+)$/,
  boot: /./,
  dev: /./,
  sys: /./,
  proc: /./,
  lib: /^(modules|systemd|x86_64-linux-gnu)$/,
  System: /./,
  private: /^(etc|var)$/,
  Windows: /^(System32|SysWOW64)$/i,
};
const SECRET = /^~\/(\.ssh|\.gnupg|\.aws|\.kube|\.config|\.local|Documents|Desktop|Library)$/;
const DISK =
  /^\/dev\/(r?disk\d|[shv]d[a-z*?[\uE000]|xvd|nvme|mmcblk|md\d|dm-|mapper\/|loop\d|nbd|sr\d|sg\d|mem$|kmem$|port$|disk\/|block\/|[\uE000-\uE003]$)/;
const ACCOUNT =
  /^\/etc\/(passwd|shadow|gshadow|sudoers|group|sudoers\.d\/.+|pam\.d\/.+|ld\.so\.preload)-?$|(^|\/)\.ssh\/authorized_keys2?$/;
const STARTUP =
  /^~\/\.(bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|config\/autostart\/.+|config\/systemd\/.+)$|^\/etc\/(cron[^/]*(\/.*)?|profile(\.d\/.+)?|bash\.bashrc|rc\.local|init\.d\/.+|systemd\/system\/.+)$|^\/var\/spool\/cron/;
const GUARD =
  /(^|\/)\.(claude|codex|gemini|cursor)\/(settings[^/]*\.json|hooks(\/|$))|(^|\/)HOOK\.(toml|md)$|(^|\/)\.git\/hooks\/|^~\/\.(bash|zsh|sh)_history$/;

/** `cwd` is empty if the path is relative to wherever the script is started. */
export function classify(path: string, cwd: string): PathClass {
  // Longer ones no system accepts.
  if (path.length > 4096) return 'other';
  if (/^[a-z]:[\\/]*\*?$/i.test(path)) return 'root';
  const full = normalise(path, cwd);
  if (DISK.test(full)) return 'disk';
  if (ACCOUNT.test(full)) return 'account';
  if (STARTUP.test(full)) return 'startup';
  if (GUARD.test(full)) return 'guard';
  // `x/*` is all of `x`.
  const folder = full.replace(/(\/(\*\*?|\.\*|\?\*|\.\[!\.\]\*|\.\?\?\*|\[!\.\]\*))+$/, '') || '/';
  return folderClass(folder === full.replace(/^\*+$|^\.\*$/, '') || folder === full ? full : folder);
}

export function normalise(path: string, cwd: string): string {
  const clean = path.replace(/\r$/, '');
  const based = /^[/~]/.test(clean) || cwd === '' ? clean : `${cwd}/${clean}`;
  const full = posix.normalize(based).replace(/(.)\/$/, '$1');
  if (!full.startsWith('~') && !full.startsWith('..')) return full;
  // Above the home is `/home`; two above is the root.
  return based.startsWith('~') && /\.\./.test(based) ? posix.normalize(based.replace(/^~/, '/home/user')).replace(/(.)\/$/, '$1') : full;
}

function folderClass(full: string): PathClass {
  if (full === '/') return 'root';
  if (full === '~' || /^\/(home|Users)\/[^/]+$/.test(full)) return 'home';
  if (SECRET.test(full.replace(/^\/(home|Users)\/[^/]+\/|^\/root\//, '~/'))) return 'secret';
  if (full === '.' || full === '*' || full === '.*' || full === '.git' || /^\.\.(\/\.\.)*$/.test(full)) return 'here';
  if (full === '/tmp' || full === '/var/tmp' || full === '/private/tmp') return 'temp-root';
  if (!full.startsWith('/')) return isDynamic(full.split('/')[0] ?? '') ? 'dynamic' : 'other';
  const [, top = '', below, deeper] = full.split('/');
  if (below === undefined) return isDynamic(top) ? 'dynamic' : TOP.some((name) => globMatches(top, name)) ? 'system' : 'other';
  return deeper === undefined && BELOW[top]?.test(below) ? 'system' : 'other';
}

/** `/et?` and `/e*` are `/etc`, too. */
function globMatches(pattern: string, name: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === name;
  const source = pattern
    .slice(0, 64)
    .replace(/\[[^\]]*\]|[*?]|[^\w]/g, (part) => (part === '*' ? '.*' : part.length > 1 || part === '?' ? '.' : `\\${part}`));
  return new RegExp(`^${source.replace(/(\.\*)+/g, '.*')}$`).test(name);
}
