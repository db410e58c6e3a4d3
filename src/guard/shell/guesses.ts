/**
 * Text that is handed to a command of which nothing is known, or code of another language that reads like shell commands: if the
 * command took it for shell code it would run. It is judged, but counts as a guess.
 */
const MOST_LINES = 64;
/** A line that is a command rather than a sentence. */
const COMMAND =
  /^\s*['"]?(?:sudo\s+|\$\s+)?(?:rm\s+-|git\s+[a-z]|find\s+[./~]|dd\s+\w+=|mkfs|shred\s|chmod\s+-R|chown\s+-R|truncate\s+-|wipefs\s|curl\s+|wget\s+|bash\s|sh\s+-c|eval\s)/;

/** Commands that take text for text. */
const READERS: ReadonlySet<string> = new Set(
  `ag at awk base64 bat batch bc cat claude codex column comm convert cp crontab csvsql curl cut dc diff docker dos2unix ed egrep ex expand
  fgrep file fmt fold gawk gemini gh git glab glow gpg grep gsed head helm hexdump http https hub iconv install jq join jsonlint kubectl
  less llm logger mail mailx markdown md5sum mdcat mongosh more msmtp mutt mysql nc ncat nl node notify-send od ollama openssl osascript
  pandoc paste patch pbcopy perl php prettier printf psql python python3 read readarray mapfile redis-cli rev rg ruby sed sendmail sha1sum
  sha256sum shellcheck shfmt sort split sqlite3 strings tac tail tee terraform tr ts uniq vim wall wc wget wl-copy write xargs xclip xmllint
  xsel xxd yq zstd gzip : true false test [ echo export`.split(/\s+/),
);

/** The lines of what a command is given to read that it might run. */
export function guessedFrom(name: string, stdin: string): string | undefined {
  if (READERS.has(name) || /^(python|perl|ruby|php)[\d.]*$/.test(name)) return undefined;
  const lines = stdin.split('\n').filter((line) => line.length < 2000 && COMMAND.test(line));
  return lines.length === 0 ? undefined : lines.slice(0, MOST_LINES).join('\n');
}

/** Code that as a whole is nothing but shell commands. */
export function guessedAs(code: string): string | undefined {
  if (code.length > 4000) return undefined;
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || !lines.every((line) => COMMAND.test(line))) return undefined;
  return lines.map((line) => line.replace(/^\s*['"]/, '')).join('\n');
}
