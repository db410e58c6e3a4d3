/** How commands use file names, as data: which of their words are files that they read, and which only look like files. */

export interface Habit {
  /** Whether the first operand is a pattern or a program instead of a file, unless one of these options provides it. */
  readonly pattern?: readonly string[];
  /** Short options with a value that is not a file to read. */
  readonly valued?: string;
  /** Whether the last operand is written and not read, unless one of these options names the target. */
  readonly target?: readonly string[];
  /** Words before the pattern that name an action. */
  readonly verbs?: RegExp;
  /** Options with which the command reads no file. */
  readonly unless?: RegExp;
}

/**
 * Commands that only use names and metadata, that create, move or delete files, or that only print their words. They never output the
 * content of a file.
 */
export const READ_NOTHING: ReadonlySet<string> = new Set(
  (
    'ls dir exa eza lsd tree test [ [[ stat chmod chown chgrp chattr lsattr getfacl setfacl xattr rm rmdir unlink trash trash-put srm shred ' +
    'touch mv mkdir mkfifo ln cd pushd popd echo printf print basename dirname realpath readlink which type command hash du df file locate ' +
    'true false : exit return export unset local declare typeset readonly alias set shift trap kill sleep wait pwd make gmake ninja ' +
    'tee truncate fallocate mktemp ssh-keygen ssh-add ssh-keyscan ssh-copy-id pgrep pkill ps fuser lsof inotifywait ' +
    'git-crypt apt-key umask ulimit history brew apt apt-get yum dnf pacman yarn pnpm find gfind fd fdfind umount mount'
  ).split(' '),
);

/** Commands that load the variables of a file into the environment of another program without showing them. */
export const LOADERS: ReadonlySet<string> = new Set(['dotenv', 'dotenv-cli', 'dotenvx', 'env-cmd', 'direnv', 'foreman', 'honcho']);

export const HABITS: Readonly<Record<string, Habit>> = {
  grep: { pattern: ['e', 'f', 'regexp', 'file'], valued: 'eABCmdD' },
  rg: { pattern: ['e', 'f', 'regexp', 'file', 'files'], valued: 'eABCEgjmMrtTd' },
  ag: { pattern: [], valued: 'ABCGmp' },
  ack: { pattern: ['match', 'f'], valued: 'ABCm' },
  sed: { pattern: ['e', 'f', 'expression', 'file'], valued: 'el', unless: /^(-[nErsuz]*i|--in-place)/ },
  awk: { pattern: ['f', 'file'], valued: 'Fv' },
  jq: { pattern: ['f', 'from-file'] },
  yq: { pattern: [], verbs: /^(?:e|ea|eval|eval-all)$/ },
  perl: { valued: 'eEMmI', unless: /^-[a-zA-Z]*i(\.|$)/ },
  cp: { target: ['t', 'target-directory'] },
  install: { target: ['t', 'target-directory', 'd'], valued: 'mogS' },
  scp: { target: [], valued: 'iFPcolSJD' },
  rsync: { target: [], valued: 'efTB' },
  ssh: { valued: 'iFBbcDEeIJLlmOopQRSWw' },
  sftp: { valued: 'iFPcolSJD' },
  docker: { valued: 'vwuepl' },
  podman: { valued: 'vwuepl' },
  zip: { valued: 'xi' },
  cut: { valued: 'dfcb' },
  head: { valued: 'nc' },
  tail: { valued: 'nc' },
  sort: { valued: 'tkSTo' },
};

/** Other names of the same commands. */
export const ALIASES: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  zgrep: 'grep',
  ggrep: 'grep',
  ripgrep: 'rg',
  'ack-grep': 'ack',
  gsed: 'sed',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gcp: 'cp',
  ginstall: 'install',
  nerdctl: 'docker',
};

/** Options of any command with a value that is written, excluded or a pattern. */
export const NOT_READ: ReadonlySet<string> = new Set(
  (
    'o O out output output-document output-file outfile outform keyout log-file exclude exclude-dir include ignore ignore-file ignore-path ' +
    'glob iglob name iname regexp expression pattern message title body m after-context before-context context max-count type'
  ).split(' '),
);

/** Options of any command with a value that is used as a key or as settings without being shown. */
export const USES: ReadonlySet<string> = new Set(
  (
    'env-file env-file-if-exists envfile cert key cacert capath client-key client-certificate certificate-authority keyfile key-file tlskey tlscert tlscacert ' +
    'tls-key tls-cert ssl-key ssl-cert ssl-ca private-key identity identity-file kubeconfig userconfig globalconfig netrc-file ssh-key ' +
    'keystore truststore srckeystore destkeystore inkey import CAkey CA CAfile passphrase-file password-file vault-password-file service-account-key-file credential-file'
  ).split(' '),
);

/** Git subcommands that show the content of the files they name. */
export const GIT_SHOWS: ReadonlySet<string> = new Set(['show', 'diff', 'blame', 'annotate', 'cat-file', 'grep', 'archive']);
/** Subcommands of `openssl` that only handle certificates or create new keys. */
export const OPENSSL_HARMLESS: ReadonlySet<string> = new Set(
  'x509 verify crl version genrsa genpkey ecparam dhparam s_client s_server req ca rand ciphers'.split(' '),
);
