/** Ssh called in a way that only says how to log in: no program of another's, no weaker check of the host. */
const HARMLESS =
  /^(BatchMode|ConnectTimeout|ConnectionAttempts|IdentitiesOnly|IdentityFile|ServerAlive\w+|LogLevel|Port|User|Compression|RequestTTY)=\S+$/i;

export function isPlainSsh(command: string): boolean {
  if (!/^\s*(\/usr\/bin\/)?ssh(\s|$)/.test(command)) return false;
  const [, ...words] = command.trim().split(/\s+/);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-[qvTn46aCx]+$/.test(word)) continue;
    if (/^-[ip]$/.test(word)) at++;
    else if (word === '-o' && HARMLESS.test(words[at + 1] ?? '')) at++;
    else if (!(word.startsWith('-o') && HARMLESS.test(word.slice(2)))) return false;
  }
  return true;
}
