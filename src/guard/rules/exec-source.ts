/** Code that nobody has read: fetched, decoded, or put together at run time. */
import type { Accusation } from '../findings.ts';
import type { Effective } from '../shell/machine.ts';
import { DECODED, isDynamic, isOpaque, REMOTE, SELF, shown } from '../shell/marks.ts';
import { isNetworkPath } from '../shell/redirects.ts';

const REMOTE_CODE: Accusation = {
  rule: 'exec-remote',
  severity: 'high',
  message: 'Runs code that it fetches from the network.',
  hint: 'Keep the code in the hook folder, where it can be read and audited.',
};
const DECODED_CODE: Accusation = {
  rule: 'exec-decoded',
  severity: 'high',
  message: 'Runs code that is hidden by an encoding.',
  hint: 'Write the code as plain text.',
};
const FETCHES =
  /urlopen|urlretrieve|requests\.(get|post)|http\.client|httpx\.|fetch\(|https?\.get\(|LWP::|open-uri|Net::HTTP|file_get_contents\(\s*['"]https?:|curl_exec/;
const DECODES =
  /b64decode|b32decode|fromhex|unhexlify|atob\(|base64_decode|decode64|['"]base64['"]|codecs\.decode|gzinflate|str_rot13|unpack\(/;
const RUNS_DECODED =
  /\b(system|run|call|Popen|popen|check_output|check_call|execSync|spawn\w*|exec\w*)\s{0,8}\(\s{0,8}[\w.([]{0,60}(b64decode|fromhex|unhexlify|decode|atob|Buffer\.from)/;
const EVALUATES = /\b(exec|eval|compile|Function|instance_eval|assert|runInThisContext|__import__)\s*\(|\beval\b/;

export function execSource(command: Effective): readonly Accusation[] {
  const { name, argv, program } = command;
  // A program typed in over the network is a network shell, and told as one.
  if (program?.from === 'stdin' && isNetworkPath(command.fds.get(0))) return [];
  const code = name === 'eval' ? argv.slice(1).join(' ') : program?.text;
  const sourced = name === 'source' || name === '.' ? argv[1] : undefined;
  if (code !== undefined && (name === 'eval' || program !== undefined)) {
    if (code.includes(REMOTE)) return [REMOTE_CODE];
    if (code.includes(DECODED)) return [DECODED_CODE];
    if (isOpaque(code) && code.trim() !== SELF) return [dynamic('Runs code that is only known when it runs.')];
    if (program && program.language !== 'shell') return inCode(code);
  }
  if (name.includes(REMOTE)) return [REMOTE_CODE];
  if (name.includes(DECODED)) return [DECODED_CODE];
  if (isDynamic(name) && !name.includes(SELF)) return [dynamic(`Which command runs is only known when it runs (${shown(argv[0] ?? '')}).`)];
  if (/[*?[]/.test(name) && name.length > 1 && name !== '[[') return [dynamic(`The name of the command is a pattern (${argv[0]}).`)];
  if (sourced !== undefined && isDynamic(sourced)) return [dynamic(`Sources a file that is only known when it runs (${shown(sourced)}).`)];
  const file = program?.from === 'file' && program.text === undefined ? program.path : undefined;
  if (file !== undefined && isDynamic(file) && !file.includes(SELF))
    return [dynamic(`Runs a file that is only known when it runs (${shown(file)}).`)];
  return [];
}

export function inCode(text: string): readonly Accusation[] {
  if (RUNS_DECODED.test(text)) return [DECODED_CODE];
  if (!EVALUATES.test(text)) return [];
  if (FETCHES.test(text)) return [REMOTE_CODE];
  return DECODES.test(text) ? [DECODED_CODE] : [];
}

function dynamic(message: string): Accusation {
  return { rule: 'uncertain', severity: 'medium', message, hint: 'Write the command out, so that it can be judged.' };
}
