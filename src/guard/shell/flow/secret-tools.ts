/** Commands whose output is a secret: those of password stores, clouds and hosting services. */

/** As name and words. */
const PRINTS =
  /^(?:gh auth token|gh auth status .*(?:-t|--show-token)|glab auth token|heroku config(?: |$|:get)|vercel env pull|netlify env:(?:list|get)|railway variables|fly secrets|flyctl config env|doppler secrets(?: |$)|infisical (?:secrets|export)|vault (?:kv get|read|print token)|op (?:read|item get)|bw (?:get|list)|pass (?:show )?\S+\/|gopass show|lpass show|keyring get|secret-tool lookup|security (?:find-(?:generic|internet)-password .*-[wg]|dump-keychain|export)|aws configure (?:get|export-credentials)|aws (?:secretsmanager get-secret-value|ssm get-parameters? .*--with-decryption|sts get-session-token|ecr get-login-password)|gcloud auth (?:print-access-token|print-identity-token|application-default print-access-token)|gcloud secrets versions access|az (?:account get-access-token|keyvault secret show|acr credential show|ad sp credential)|kubectl (?:\S+ \S+ )?(?:get|describe) secrets? .*(?:-o|--output|\S)|kubectl config view .*--raw|npm token (?:list|create)|yarn npm whoami --token|docker-credential-\S+ get|gpg2? .*--export-secret|ssh-keygen .*-y|supabase secrets|stripe config --list|rails credentials:(?:show|edit)|ansible-vault (?:view|decrypt)|sops (?:-d|--decrypt|decrypt)|age -d|git credential fill|kdbx|chamber (?:read|export)|eb printenv|circleci env|terraform output .*-json|terraform state pull|pulumi config .*--show-secrets|file -f \S*(?:id_|\.pem|\.key|shadow)|openssl (?:rsa|pkey|pkcs12) .*-in)/;
const ONLY_NAMES = /^kubectl get secrets?(?: -A| -n \S+| --all-namespaces)*$/;

export function printsSecret(name: string, argv: readonly string[]): boolean {
  const text = [name, ...argv.slice(1)].join(' ');
  return PRINTS.test(text) && !ONLY_NAMES.test(text) && !/--help\b/.test(text);
}
