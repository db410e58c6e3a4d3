/** The installation scripts of well-known tools, as data: the addresses that their makers publish for `curl … | sh`. */
import type { Request } from './request.ts';

/**
 * Hosts that serve nothing but an installer, and paths of other hosts. `*` stands for one part of a path. So does `{version}`, where the
 * tool has its releases: a released version there names one text for good, and a branch or a commit does not.
 */
export const ADDRESSES: readonly string[] = [
  'sh.rustup.rs',
  'get.docker.com',
  'get.pnpm.io',
  'get.volta.sh',
  'get.sdkman.io',
  'get.k3s.io',
  'mise.run',
  'install.python-poetry.org',
  'deb.nodesource.com',
  'rpm.nodesource.com',
  'bun.sh/install',
  'bun.com/install',
  'deno.land/install.sh',
  'deno.land/x/install/install.sh',
  'astral.sh/uv/install.sh',
  'astral.sh/uv/{version}/install.sh',
  'astral.sh/ruff/install.sh',
  'astral.sh/ruff/{version}/install.sh',
  'github.com/astral-sh/uv/releases/download/{version}/uv-installer.sh',
  'github.com/astral-sh/ruff/releases/download/{version}/ruff-installer.sh',
  'fnm.vercel.app/install',
  'starship.rs/install.sh',
  'just.systems/install.sh',
  'pixi.sh/install.sh',
  'fly.io/install.sh',
  'ollama.com/install.sh',
  'tailscale.com/install.sh',
  'claude.ai/install.sh',
  'cursor.com/install',
  'nixos.org/nix/install',
  'releases.nixos.org/nix/nix-{version}/install',
  'install.determinate.systems/nix',
  'install.determinate.systems/nix/tag/{version}',
  'bootstrap.pypa.io/get-pip.py',
  'raw.githubusercontent.com/nvm-sh/nvm/{version}/install.sh',
  'raw.githubusercontent.com/nvm-sh/nvm/refs/tags/{version}/install.sh',
  'raw.githubusercontent.com/homebrew/install/*/install.sh',
  'raw.githubusercontent.com/homebrew/install/*/uninstall.sh',
  'raw.githubusercontent.com/ohmyzsh/ohmyzsh/*/tools/install.sh',
  'raw.githubusercontent.com/helm/helm/{version}/scripts/get-helm-3',
  'raw.githubusercontent.com/golangci/golangci-lint/{version}/install.sh',
  'raw.githubusercontent.com/k3d-io/k3d/{version}/install.sh',
  'raw.githubusercontent.com/pyenv/pyenv-installer/*/bin/pyenv-installer',
];

/** With three numbers, because a branch often has two. */
const VERSION = /^v?\d+(?:\.\d+){2,3}(?:-[a-z\d.]+)?$/;

/** An installer of which the address names one release, or that changes over time. */
export type Installer = 'release' | 'latest';

/**
 * Returns which installer a command asks for, if it asks for well-known ones alone and over an encrypted connection. With an option or a
 * variable that can lead the connection elsewhere, no release is certain.
 */
export function installerIn(
  { urls, bodies }: Request,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Installer | undefined {
  if (urls.length === 0 || !bodies.every(({ beside }) => beside === true)) return undefined;
  const found = urls.map(installerAt);
  if (found.includes(undefined)) return undefined;
  const led = argv.some((word) => word.startsWith('-') && !ORDINARY.test(word)) || Object.keys(env).some((name) => LEADS.test(name));
  return led || found.includes('latest') ? 'latest' : 'release';
}

/** Options of `curl` and `wget` that change neither the server nor the trust in it. */
const ORDINARY =
  /^(?:-[fsSLgvqNO#46o]+-?|-qO-|-nv|--(?:fail|silent|show-error|location|proto|tlsv1\.[23]|retry|retry-delay|max-time|connect-timeout|compressed|progress-bar|http1\.1|http2|output|remote-name|quiet|no-verbose|output-document|https-only|secure-protocol|tries|timeout|show-progress)(?:=.*)?)$/;
/** Variables with settings of `curl`, `wget` and the libraries of encryption. */
const LEADS = /^(?:CURL_|SSL_|OPENSSL_|WGETRC$|HOME$|XDG_CONFIG_HOME$)/;

function installerAt(url: string): Installer | undefined {
  const [, host = '', path = ''] = /^https:\/\/([a-z0-9.-]+)(\/[\w./-]*)?$/i.exec(url) ?? [];
  if (host === '' || path.includes('..')) return undefined;
  const given = path.toLowerCase().split('/').slice(1);
  const known = ADDRESSES.flatMap((address): readonly Installer[] => {
    const [name = '', ...parts] = address.split('/');
    if (name !== host.toLowerCase()) return [];
    if (parts.length === 0) return ['latest'];
    if (parts.length !== given.length || !parts.every((part, i) => partFits(part, given[i] ?? ''))) return [];
    return [parts.some((part, i) => VERSION.test(versionIn(part, given[i] ?? '') ?? '')) ? 'release' : 'latest'];
  });
  return known.includes('release') ? 'release' : known[0];
}

function partFits(part: string, given: string): boolean {
  return part === '*' || part === given || versionIn(part, given) !== undefined;
}

/** Returns the text at the place of the version. */
function versionIn(part: string, given: string): string | undefined {
  const at = part.indexOf('{version}');
  return at !== -1 && given.startsWith(part.slice(0, at)) && given.length > at ? given.slice(at) : undefined;
}

/**
 * Returns whether an installer gets no other words and variables than names, numbers, versions and paths. An address or the name of a
 * repository can have it fetch the tool from elsewhere.
 */
export function isPlainInstall(words: readonly string[], env: Readonly<Record<string, string>>): boolean {
  return words.every((word) => PLAIN.test(word)) && Object.values(env).every((value) => PLAIN.test(value));
}

const PLAIN = /^(?:-{0,2}[\w.+-]*(?:=[\w.+-]*)?|(?:[\w-]+=)?(?:~|\.{1,2})?(?:\/[\w.+-]+)+\/?)$/;
