/** The installation scripts of well-known tools, as data: the addresses that their makers publish for `curl … | sh`. */
import type { Request } from './request.ts';

/** Hosts that serve nothing but an installer, and paths of other hosts. `*` stands for one part of a path. */
const ADDRESSES: readonly string[] = [
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
  'astral.sh/uv/*/install.sh',
  'astral.sh/ruff/install.sh',
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
  'install.determinate.systems/nix',
  'bootstrap.pypa.io/get-pip.py',
  'raw.githubusercontent.com/nvm-sh/nvm/*/install.sh',
  'raw.githubusercontent.com/homebrew/install/*/install.sh',
  'raw.githubusercontent.com/homebrew/install/*/uninstall.sh',
  'raw.githubusercontent.com/ohmyzsh/ohmyzsh/*/tools/install.sh',
  'raw.githubusercontent.com/helm/helm/*/scripts/get-helm-3',
  'raw.githubusercontent.com/pyenv/pyenv-installer/*/bin/pyenv-installer',
];

/** Returns whether a request asks for well-known installers alone, over an encrypted connection. */
export function asksForInstaller({ urls, bodies }: Request): boolean {
  return urls.length > 0 && bodies.every(({ beside }) => beside === true) && urls.every(isInstaller);
}

function isInstaller(url: string): boolean {
  const [, host = '', path = ''] = /^https:\/\/([a-z0-9.-]+)(\/[\w./-]*)?$/i.exec(url) ?? [];
  if (host === '' || path.includes('..')) return false;
  return ADDRESSES.some((address) => {
    const [name = '', ...parts] = address.split('/');
    if (name !== host.toLowerCase()) return false;
    const given = path.toLowerCase().split('/').slice(1);
    return parts.length === 0 || (parts.length === given.length && parts.every((part, i) => part === '*' || part === given[i]));
  });
}
