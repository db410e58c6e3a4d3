/**
 * The options of git's subcommands as data. `f,force` is a flag, `e,exclude=` takes a value, and `track?` takes a value only with `=`.
 * `!verify` is the option that turns `verify` off. Git accepts any unambiguous prefix of a long name, so each list is complete and not only
 * a list of dangerous options.
 */

export interface Syntax {
  /** Maps each letter to the canonical name: the long name, or the letter itself. */
  readonly short: ReadonlyMap<string, OptionForm>;
  readonly long: ReadonlyMap<string, OptionForm>;
}

export interface OptionForm {
  readonly name: string;
  readonly value: 'none' | 'required' | 'attached';
  /** The meaning of the plain form. False for an option that is a negation. */
  readonly on: boolean;
}

export function syntaxOf(subcommand: string): Syntax {
  let syntax = READ.get(subcommand);
  if (syntax === undefined) {
    syntax = readSyntax(Object.hasOwn(OPTIONS, subcommand) ? (OPTIONS[subcommand] ?? '') : '');
    if (READ.size < MOST_KEPT) READ.set(subcommand, syntax);
  }
  return syntax;
}

const MOST_KEPT = 200;
const READ = new Map<string, Syntax>();

const SEQUENCER =
  'quit continue abort skip cleanup= n,!commit e,edit s,signoff m,mainline= rerere-autoupdate strategy= X,strategy-option= S,gpg-sign? ' +
  'x ff allow-empty allow-empty-message keep-redundant-commits reference empty=';
const PATHSPECS = 'pathspec-from-file= pathspec-file-nul';
const HUNKS = 'p,patch U,unified= inter-hunk-context=';
const FETCHING =
  'v,verbose q,quiet all a,append atomic upload-pack= receive-pack= exec= f,force m,multiple t,tags n j,jobs= prefetch p,prune P,prune-tags ' +
  'recurse-submodules? dry-run write-fetch-head k,keep u,update-head-ok progress depth= shallow-since= shallow-exclude= deepen= unshallow ' +
  'refetch update-shallow refmap= o,server-option= 4,ipv4 6,ipv6 negotiation-tip= negotiate-only filter= auto-maintenance auto-gc ' +
  'show-forced-updates write-commit-graph stdin set-upstream porcelain';
const PUSHING =
  'v,verbose q,quiet repo= all branches mirror d,delete tags n,dry-run porcelain f,force force-with-lease? force-if-includes ' +
  'recurse-submodules= thin receive-pack= upload-pack= exec= u,set-upstream progress prune verify follow-tags signed? atomic ' +
  'o,push-option= 4,ipv4 6,ipv6';
const CHECKOUT =
  `guess overlay q,quiet recurse-submodules? progress m,merge conflict= d,detach t,track? f,force orphan= overwrite-ignore ` +
  `ignore-other-worktrees 2,ours 3,theirs ${HUNKS} ignore-skip-worktree-bits ${PATHSPECS}`;
const CONFIG =
  'global system local worktree f,file= blob= get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section ' +
  'remove-section l,list fixed-value e,edit get-color get-colorbool t,type= bool int bool-or-int bool-or-str path expiry-date z,null ' +
  'name-only includes show-origin show-scope show-names default= comment= value= url= all append regexp';
const LISTING = 'contains= merged= sort= points-at= format= color? column? i,ignore-case omit-empty';

const OPTIONS: Readonly<Record<string, string>> = {
  reset: `q,quiet refresh mixed soft hard merge keep recurse-submodules? ${HUNKS} N,intent-to-add ${PATHSPECS}`,
  checkout: `b= B= l ${CHECKOUT}`,
  switch:
    'c,create= C,force-create= guess discard-changes q,quiet recurse-submodules? progress m,merge conflict= d,detach t,track? f,force ' +
    'orphan= overwrite-ignore ignore-other-worktrees',
  restore:
    `s,source= S,staged W,worktree ignore-unmerged overlay q,quiet recurse-submodules? progress m,merge conflict= 2,ours 3,theirs ` +
    `${HUNKS} ignore-skip-worktree-bits ${PATHSPECS}`,
  clean: 'q,quiet n,dry-run f,force i,interactive d e,exclude= x X',
  rm: `n,dry-run q,quiet cached f,force r ignore-unmatch sparse ${PATHSPECS}`,
  mv: 'v,verbose n,dry-run f,force k sparse',
  push: PUSHING,
  'send-pack': `${PUSHING} remote= stateless-rpc stdin helper-status`,
  fetch: FETCHING,
  'fetch-pack': FETCHING,
  pull:
    `${FETCHING} r,rebase? stat log? signoff? squash commit edit cleanup= ff ff-only verify verify-signatures autostash s,strategy= ` +
    'X,strategy-option= S,gpg-sign? allow-unrelated-histories',
  clone:
    'v,verbose q,quiet progress reject-shallow n,!checkout bare mirror l,local hardlinks s,shared recurse-submodules? recursive? j,jobs= ' +
    'template= reference= reference-if-able= dissociate o,origin= b,branch= revision= u,upload-pack= receive-pack= depth= shallow-since= ' +
    'shallow-exclude= single-branch tags shallow-submodules separate-git-dir= ref-format= c,config= server-option= 4,ipv4 6,ipv6 filter= ' +
    'also-filter-submodules remote-submodules sparse bundle-uri=',
  init: 'template= bare shared? q,quiet separate-git-dir= b,initial-branch= object-format= ref-format=',
  'ls-remote': 'q,quiet upload-pack= receive-pack= exec= t,tags h,heads b,branches refs get-url sort= exit-code symref o,server-option=',
  archive: 'format= prefix= add-file= add-virtual-file= mtime= o,output= worktree-attributes v,verbose l,list remote= exec= upload-pack=',
  'worktree add': 'f,force b= B= d,detach checkout lock reason= orphan q,quiet track guess-remote',
  'worktree remove': 'f,force',
  'worktree prune': 'n,dry-run v,verbose expire=',
  branch:
    `v,verbose q,quiet t,track? u,set-upstream-to= unset-upstream r,remotes abbrev? a,all d,delete D m,move M c,copy C l,list show-current ` +
    `create-reflog edit-description f,force recurse-submodules ${LISTING}`,
  tag:
    `l,list n? d,delete v,verify a,annotate m,message= F,file= trailer= e,edit s,sign cleanup= u,local-user= f,force create-reflog ` +
    LISTING,
  merge:
    'n stat summary log? squash commit e,edit cleanup= ff ff-only rerere-autoupdate verify-signatures s,strategy= X,strategy-option= ' +
    'm,message= F,file= into-name= v,verbose q,quiet abort quit continue allow-unrelated-histories progress S,gpg-sign? autostash ' +
    'overwrite-ignore signoff verify',
  rebase:
    'onto= keep-base verify q,quiet v,verbose n,!stat signoff committer-date-is-author-date reset-author-date C= ignore-whitespace ' +
    'whitespace= f,force-rebase ff continue skip abort quit edit-todo show-current-patch apply m,merge i,interactive rerere-autoupdate ' +
    'empty= autosquash update-refs S,gpg-sign? autostash x,exec= r,rebase-merges? fork-point s,strategy= X,strategy-option= root ' +
    'reschedule-failed-exec reapply-cherry-picks',
  'cherry-pick': SEQUENCER,
  revert: SEQUENCER,
  am:
    'i,interactive 3,3way q,quiet s,signoff u,utf8 k,keep keep-non-patch m,message-id keep-cr c,scissors quoted-cr= whitespace= ' +
    'ignore-space-change ignore-whitespace directory= exclude= include= C= p= patch-format= reject resolvemsg= continue r,resolved skip ' +
    'abort quit retry show-current-patch? allow-empty committer-date-is-author-date ignore-date rerere-autoupdate S,gpg-sign? empty=',
  gc: 'q,quiet prune? cruft max-cruft-size= expire-to= aggressive auto detach force keep-largest-pack',
  prune: 'n,dry-run v,verbose progress expire= exclude-promisor-objects',
  'reflog expire': 'n,dry-run rewrite updateref verbose expire= expire-unreachable= stale-fix all single-worktree',
  'reflog delete': 'n,dry-run rewrite updateref verbose',
  'reflog drop': 'all single-worktree',
  'update-ref': 'm= d deref z stdin create-reflog',
  'symbolic-ref': 'q,quiet d,delete short recurse m=',
  'filter-branch':
    'setup= subdirectory-filter= env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter= ' +
    'prune-empty original= d= f,force state-branch= remap-to-ancestor',
  'filter-repo':
    'analyze dry-run debug f,force invert-paths use-base-name replace-text= replace-message= path= path-glob= path-regex= paths-from-file= ' +
    'path-rename= path-match= strip-blobs-bigger-than= strip-blobs-with-ids= mailmap= use-mailmap tag-rename= subdirectory-filter= ' +
    'to-subdirectory-filter= message-callback= blob-callback= commit-callback= tag-callback= reset-callback= name-callback= ' +
    'email-callback= refname-callback= filename-callback= file-info-callback= refs= source= target= report-dir= partial quiet',
  commit:
    'q,quiet v,verbose F,file= author= date= m,message= c,reedit-message= C,reuse-message= fixup= squash= reset-author trailer= ' +
    's,signoff t,template= e,edit cleanup= status S,gpg-sign? a,all i,include interactive p,patch o,only n,!verify dry-run short branch ' +
    `ahead-behind porcelain long z,null amend post-rewrite u,untracked-files? allow-empty allow-empty-message ${PATHSPECS}`,
  config: CONFIG,
  'config set': CONFIG,
  'config unset': CONFIG,
  difftool: 'g,gui d,dir-diff y,!prompt symlinks t,tool= tool-help trust-exit-code x,extcmd= index',
  mergetool: 'g,gui y,!prompt t,tool= tool-help O=',
  grep: 'O,open-files-in-pager? e= f= A,after-context= B,before-context= C,context= m,max-count= max-depth= threads=',
  'send-email': 'sendmail-cmd= to-cmd= cc-cmd= header-cmd= smtp-server= to= cc= bcc= from= subject= in-reply-to= smtp-user= smtp-pass=',
  'stash drop': 'q,quiet',
  'stash push': `k,keep-index S,staged p,patch q,quiet u,include-untracked a,all m,message= ${PATHSPECS}`,
  'submodule update':
    'q,quiet progress init remote N,!fetch f,force checkout merge rebase recommend-shallow reference= dissociate depth= recursive j,jobs= ' +
    'single-branch filter=',
  'submodule deinit': 'q,quiet f,force all',
  'submodule add': 'q,quiet b,branch= f,force name= reference= depth= ref-format= progress',
  'submodule foreach': 'q,quiet recursive',
  'read-tree': 'index-output= empty v,verbose m trivial aggressive reset prefix= u exclude-per-directory= i n,dry-run q,quiet',
  'checkout-index': 'a,all ignore-skip-worktree-bits f,force q,quiet n,!create u,index z stdin temp prefix= stage=',
  'remote add': 'f,fetch tags t,track= m,master= mirror?',
};

function readSyntax(notation: string): Syntax {
  const short = new Map<string, OptionForm>();
  const long = new Map<string, OptionForm>();
  for (const token of notation.split(' ')) {
    const [, letter = '', negated = '', word = '', mark = ''] = /^(?:(\w),)?(!?)([\w-]*)([=?]?)$/.exec(token) ?? [];
    if (word === '') continue;
    const form: OptionForm = { name: word, value: mark === '=' ? 'required' : mark === '?' ? 'attached' : 'none', on: negated === '' };
    if (letter !== '') short.set(letter, form);
    if (word.length === 1) short.set(word, form);
    else long.set(word, { ...form, on: true });
  }
  return { short, long };
}
