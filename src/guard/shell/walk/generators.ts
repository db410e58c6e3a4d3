/**
 * Commands that print code for `eval`: `eval "$(ssh-agent -s)"`, `source <(kubectl completion bash)`. They are recognised only in their
 * plain form. With a pipe, a redirection or a wrapper they count as unknown code.
 */
import type { Command, ParsedScript, Word, WordPart } from 'unbash';

/** Tools that print settings or completions for the shell, with their arguments. */
const GENERATORS: Readonly<Record<string, RegExp>> = {
  'ssh-agent': /^/,
  direnv: /^(hook|export) \w+$/,
  starship: /^(init|completions) \w+/,
  zoxide: /^init \w+/,
  atuin: /^(init|gen-completions) /,
  brew: /^shellenv( \w+)?$/,
  rbenv: /^init/,
  pyenv: /^(init|virtualenv-init)/,
  nodenv: /^init/,
  jenv: /^init/,
  plenv: /^init/,
  goenv: /^init/,
  fnm: /^(env|completions)( |$)/,
  mise: /^(activate|env|completion|hook-env)( |$)/,
  rtx: /^(activate|env)( |$)/,
  opam: /^(env|config env)( |$)/,
  luarocks: /^path( |$)/,
  conda: /^shell\.\w+ hook$/,
  mamba: /^shell hook/,
  micromamba: /^shell hook/,
  dircolors: /^/,
  lesspipe: /^$/,
  'lesspipe.sh': /^$/,
  resize: /^$/,
  thefuck: /^--alias/,
  keychain: /^--eval/,
  'gpg-agent': /^--daemon/,
  'register-python-argcomplete': /^[\w-]+$/,
  pip: /^completion --\w+$/,
  pip3: /^completion --\w+$/,
  fzf: /^--(bash|zsh|fish)$/,
  uv: /^generate-shell-completion \w+$/,
  uvx: /^--generate-shell-completion \w+$/,
  poetry: /^completions \w+$/,
  rustup: /^completions \w+/,
  'docker-machine': /^env( |$)/,
  minikube: /^(docker-env|podman-env)( |$)/,
  vault: /^-autocomplete-install$/,
};
/** Tools built with common command-line libraries print completions in this form. */
const COMPLETION = /^completions? (-s )?(bash|zsh|fish|sh|powershell)$/;
const COMPLETING: ReadonlySet<string> = new Set(
  `argocd buf cilium crictl docker eksctl flux gh git-lfs glab golangci-lint goreleaser hcloud helm istioctl k3d k3s k9s kind ko
  kubeadm kubectl kustomize minikube nerdctl npm oc op packer pnpm podman pulumi rclone skaffold stern supabase task tilt
  trivy velero volta yarn yq`.split(/\s+/),
);

/** Returns the equivalent command of a well-known form. Undefined: the form is not known. */
export function knownGenerator(node: Command): readonly string[] | undefined {
  const name = node.name?.parts === undefined ? node.name?.value : undefined;
  if ((name !== 'eval' && name !== 'source' && name !== '.') || node.args.length !== 1) return undefined;
  if (node.prefix.length > 0 || node.redirects.length > 0) return undefined;
  const argument = node.args[0];
  const inner = argument?.type === 'Word' ? singleSubstitution(argument) : undefined;
  if (inner?.type !== (name === 'eval' ? 'CommandExpansion' : 'ProcessSubstitution') || inner.script === undefined) return undefined;
  const words = plainWords(inner.script);
  if (words === undefined) return undefined;
  if (words[0] === 'cat' && words.length === 2 && !words[1]?.startsWith('-')) return ['source', words[1] ?? ''];
  return isGenerator(words) ? [name] : undefined;
}

function isGenerator([path = '', ...args]: readonly string[]): boolean {
  const name = path.replace(/^(\/usr(\/local)?|\/opt\/homebrew|\/home\/linuxbrew\/\.linuxbrew)\/bin\//, '');
  const text = args.join(' ');
  return (Object.hasOwn(GENERATORS, name) && GENERATORS[name]?.test(text) === true) || (COMPLETING.has(name) && COMPLETION.test(text));
}

/** Returns the single substitution in a word, with or without quotes. */
function singleSubstitution({ parts }: Word): (WordPart & { readonly type: 'CommandExpansion' | 'ProcessSubstitution' }) | undefined {
  const [part, more] = parts ?? [];
  if (part === undefined || more !== undefined) return undefined;
  if (part.type === 'DoubleQuoted') {
    const [inner, second] = part.parts;
    return inner?.type === 'CommandExpansion' && second === undefined ? inner : undefined;
  }
  return part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution' ? part : undefined;
}

/** Returns the words of a script that is one plain command without expansions and redirections. */
function plainWords({ commands, errors }: ParsedScript): readonly string[] | undefined {
  const [statement, more] = commands;
  const command = statement?.command;
  if (command?.type !== 'Command' || more !== undefined || statement?.background || errors?.length) return undefined;
  const [first, second] = command.redirects;
  if (command.name === undefined) {
    // `$(<file)` equals `$(cat file)`.
    const target = first?.type === 'Redirect' && first.operator === '<' && second === undefined ? first.target : undefined;
    return target === undefined || target.parts !== undefined || command.prefix.some(({ type }) => type === 'Assignment')
      ? undefined
      : ['cat', target.value];
  }
  if (first !== undefined || command.prefix.length > 0) return undefined;
  const words = [command.name, ...command.args];
  return words.every((word): word is Word => word.type === 'Word' && word.parts === undefined)
    ? words.map(({ value }) => value)
    : undefined;
}
