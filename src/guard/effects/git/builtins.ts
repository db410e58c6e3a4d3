/** The subcommands git brings along. An alias never takes a name of these, and only some of them talk to another repository. */
const TRANSPORT: ReadonlySet<string> = new Set(
  `clone fetch fetch-pack ls-remote pull push send-pack remote submodule http-fetch http-push lfs svn p4 send-email imap-send
  upload-archive upload-pack receive-pack bundle maintenance`.split(/\s+/),
);
const LOCAL: ReadonlySet<string> = new Set(
  `add am annotate apply archive bisect blame branch bugreport cat-file check-attr check-ignore check-mailmap check-ref-format checkout
  checkout-index cherry cherry-pick clean column commit commit-graph commit-tree config count-objects credential daemon describe diagnose
  diff diff-files diff-index diff-tree difftool fast-export fast-import filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo
  format-patch fsck gc get-tar-commit-id grep gui hash-object help hook index-pack init init-db instaweb interpret-trailers log ls-files
  ls-tree mailinfo mailsplit merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes
  pack-objects pack-redundant pack-refs patch-id prune prune-packed range-diff read-tree rebase reflog refs repack replace replay
  request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-index show-ref sparse-checkout stage stash
  status stripspace switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var verify-commit
  verify-pack verify-tag version whatchanged worktree write-tree`.split(/\s+/),
);

export function isBuiltin(word: string): boolean {
  return LOCAL.has(word) || TRANSPORT.has(word);
}

/** Whether it may talk to another repository. What git does not bring along may do anything. */
export function mayTalk(subcommand: string, args: readonly string[]): boolean {
  const [name = ''] = subcommand.split(' ');
  if (name === 'archive') return args.some((word) => word.startsWith('--rem'));
  return subcommand !== '' && !LOCAL.has(name);
}
