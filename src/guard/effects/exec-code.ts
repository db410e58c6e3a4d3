/** Where code of other languages gets what it runs from: searched for a closed list of calls, not parsed. */

const FETCHES =
  /urlopen|urlretrieve|requests\.(get|post)|http\.client|httpx\.|fetch\(|https?\.get\(|LWP::|open-uri|Net::HTTP|file_get_contents\(\s{0,8}['"]https?:|curl_exec/;
const DECODES =
  /b64decode|b32decode|fromhex|unhexlify|atob\(|base64_decode|decode_base64|decode64|['"]base64['"]|codecs\.decode|gzinflate|str_rot13|unpack\(/;
const RUNS_DECODED =
  /\b(system|run|call|Popen|popen|check_output|check_call|execSync|spawn\w*|exec\w*)\s{0,8}\(\s{0,8}[\w.([]{0,60}(b64decode|fromhex|unhexlify|decode|atob|Buffer\.from)/;
const EVALUATES = /\b(exec|eval|compile|Function|instance_eval|assert|runInThisContext|__import__)\s{0,8}\(|\beval\b/;
/** `system($0)`, `cmd | getline`, `print | cmd`: awk runs what a record or a variable holds. */
const AWK_RUNS =
  /\bsystem\s{0,8}\(\s{0,8}[^"\s)]|(?:^|[^"\w|])\$?\w+\s{0,8}\|&?\s{0,8}getline|\bprintf?\b[^|"\n}]{0,200}\|&?\s{0,8}[$A-Za-z_]/;

export type CodeOrigin = 'remote' | 'decoded' | 'unknown';

export function originInCode(text: string, language: string): CodeOrigin | undefined {
  if (language === 'awk') return AWK_RUNS.test(text) ? 'unknown' : undefined;
  if (RUNS_DECODED.test(text)) return 'decoded';
  if (!EVALUATES.test(text)) return undefined;
  if (FETCHES.test(text)) return 'remote';
  return DECODES.test(text) ? 'decoded' : undefined;
}
