/** Commands whose output is a secret: those of password stores, clouds and hosting services, by program. */

/** The words of a program that print a secret. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  gh: /^(?:auth token|auth status .*(?:-t|--show-token))/,
  glab: /^auth token/,
  heroku: /^(?:config(?: |$|:get)|auth:token)/,
  vercel: /^env pull/,
  netlify: /^env:(?:list|get)/,
  railway: /^variables/,
  fly: /^(?:secrets|auth token|tokens create)/,
  flyctl: /^(?:config env|auth token|tokens create)/,
  doppler: /^secrets(?: |$)/,
  infisical: /^(?:secrets|export)/,
  vault: /^(?:kv get|read|print token)/,
  op: /^(?:read|item get)/,
  bw: /^(?:get|list)/,
  pass: /^(?:show )?\S+\//,
  gopass: /^show/,
  lpass: /^show/,
  keyring: /^get/,
  'secret-tool': /^lookup/,
  security: /^(?:find-(?:generic|internet)-password .*-[wg]|dump-keychain|export)/,
  aws: /^(?:configure (?:get|export-credentials)|secretsmanager get-secret-value|ssm get-parameters? .*--with-decryption|sts get-session-token|ecr get-login-password)/,
  gcloud: /^(?:auth (?:print-access-token|print-identity-token|application-default print-access-token)|secrets versions access)/,
  az: /^(?:account get-access-token|keyvault secret show|acr credential show|ad sp credential)/,
  kubectl: /^(?:create token|(?:\S+ \S+ )?(?:get|describe) secrets? .*(?:-o|--output|\S)|config view .*--raw)/,
  npm: /^token (?:list|create)/,
  yarn: /^npm whoami --token/,
  gpg: /^.*--export-secret/,
  gpg2: /^.*--export-secret/,
  'ssh-keygen': /^.*-y/,
  supabase: /^secrets/,
  stripe: /^config --list/,
  rails: /^credentials:(?:show|edit)/,
  'ansible-vault': /^(?:view|decrypt)/,
  sops: /^(?:-d|--decrypt|decrypt)/,
  age: /^-d/,
  git: /^credential fill/,
  kdbx: /^/,
  chamber: /^(?:read|export)/,
  eb: /^printenv/,
  circleci: /^env/,
  terraform: /^(?:output .*-json|state pull)/,
  pulumi: /^config .*--show-secrets/,
  file: /^-f \S*(?:id_|\.pem|\.key|shadow)/,
  openssl: /^(?:rsa|pkey|pkcs12) .*-in/,
};
/** The first operands of a program that print a password or a token. */
const TOKENS: Readonly<Record<string, RegExp>> = {
  gh: /^auth token/,
  glab: /^auth token/,
  gcloud: /^auth print-(?:access|identity)-token/,
  op: /^read/,
  pass: /^(?:show|[\w/-]+$)/,
  vault: /^(?:read|kv get)/,
  aws: /^(?:ecr get-login-password|secretsmanager get-secret-value|ssm get-parameter)/,
  az: /^account get-access-token/,
  security: /^find-(?:generic|internet)-password/,
  'secret-tool': /^lookup/,
  kubectl: /^(?:get|create) (?:secret|token)/,
};
const ONLY_NAMES = /^kubectl get secrets?(?: -A| -n \S+| --all-namespaces)*$/;

export function printsSecret(name: string, argv: readonly string[]): boolean {
  const text = [name, ...argv.slice(1)].join(' ');
  return saysSecret(PRINTS, text) && !ONLY_NAMES.test(text) && !/--help\b/.test(text);
}

/** Returns whether a command with these operands prints a password or a token. */
export function printsToken(name: string, operands: readonly string[]): boolean {
  return saysSecret(TOKENS, [name, ...operands.slice(0, 3)].join(' '));
}

/** A credential helper of Docker has the name of its store. */
const HELPER = 'docker-credential-';

function saysSecret(programs: Readonly<Record<string, RegExp>>, text: string): boolean {
  const end = text.indexOf(' ');
  const name = end === -1 ? text : text.slice(0, end);
  const words = end === -1 ? '' : text.slice(end + 1);
  if (Object.hasOwn(programs, name)) return programs[name]?.test(words) === true;
  return programs === PRINTS && name.startsWith(HELPER) && name.length > HELPER.length && words.startsWith('get');
}
