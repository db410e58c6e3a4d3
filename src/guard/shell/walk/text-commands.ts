/** Commands that treat their words and their input as text, and run none of it unless the analysis follows them there. */
const READERS: ReadonlySet<string> = new Set(
  `ag at awk base64 bat batch bc cat claude codex column comm convert cp crontab csvsql curl cut dc diff docker dos2unix ed egrep ex expand
  fgrep file fmt fold gawk gemini gh git glab glow gpg grep gsed head helm hexdump http https hub iconv install jq join jsonlint kubectl
  less llm logger mail mailx markdown md5sum mdcat mongosh more msmtp mutt mysql nc ncat nl node notify-send od ollama openssl osascript
  pandoc paste patch pbcopy perl php prettier printf psql python python3 read readarray mapfile redis-cli rev rg ruby sed sendmail sha1sum
  sha256sum shellcheck shfmt sort split sqlite3 strings tac tail tee terraform tr ts uniq vim wall wc wget wl-copy write xargs xclip xmllint
  xsel xxd yq zstd gzip : true false test [ echo export`.split(/\s+/),
);

export function treatsAsText(name: string): boolean {
  return READERS.has(name) || /^(python|perl|ruby|php)[\d.]*$/.test(name);
}
