/**
 * The rules that the audit checks in addition to the rules for commands, as data: the highest severity, a description and a safer
 * alternative.
 */
import type { FindingSeverity, Violation } from '../findings.ts';

export interface AuditRule {
  readonly severity: FindingSeverity;
  /** Completes the sentence "The hook…". */
  readonly about: string;
  readonly instead: string;
}

/** docs/audit.md lists all of these rules. */
export const AUDIT_RULES = {
  'link-leaves-folder': rule('high', 'has a link that leads out of its folder', 'Put the file itself into the hook folder.'),
  'unaudited-file': rule('high', 'has a file that cannot be audited', 'Use a small, readable script.'),
  'set-user-id': rule('high', "runs a file with another user's rights", 'Remove the mode bits: `chmod u-s,g-s`.'),
  'nul-byte': rule('high', 'has a NUL byte in its command', 'Remove the byte, because some programs ignore the text after it.'),
  'env-injects-code': rule('high', 'sets a variable that loads code into other programs', 'Call the code explicitly.'),
  'http-metadata': rule('high', "sends a request to the machine's metadata service", 'Send the request to your own server.'),
  'asks-not-to-be-audited': rule('medium', 'asks not to be audited', 'Remove the key. A waiver belongs in your own settings.'),
  'file-outside': rule('medium', 'runs a file outside its folder and the project', 'Put the file into the hook folder.'),
  'world-writable': rule('medium', 'runs a file that every user can change', 'Remove the permission: `chmod o-w`.'),
  'workdir-outside': rule('medium', 'runs outside its folder and the project', 'Use a working folder in the project or the hook folder.'),
  'timeout-long': rule('medium', 'has no timeout, or one of over ten minutes', 'Set a timeout of at most ten minutes.'),
  'env-search-path': rule('medium', 'has a relative folder in its search path', 'Use absolute folders only.'),
  'http-scheme': rule('medium', 'sends data without https', 'Use https.'),
  'http-credentials': rule(
    'medium',
    'has a user name or a password in its address',
    'Send the credentials in a header that reads an environment variable.',
  ),
  'http-secret': rule('medium', 'has a secret in its address or headers', 'Keep the secret out of the file.'),
  'text-large': rule('medium', 'adds a text of over 32 KiB', 'Shorten the text, because it takes up space in the conversation.'),
  'hidden-text': rule('medium', 'contains invisible characters', 'Remove the characters, or write them as escapes.'),
  'hook-network': rule('medium', 'connects to another machine', 'Use an http hook, because its address is visible.'),
  'hook-launcher': rule(
    'medium',
    'runs the current version of a package, whichever that is',
    'Pin the exact version, or install the package first.',
  ),
  'event-in-command': rule('medium', 'expects event data in its command', 'Read the data from stdin or the environment.'),
  'http-header-secret': rule('low', 'sends a variable that holds a secret', 'Check that this host may receive the secret.'),
  'timeout-unit': rule('low', 'has a timeout that looks like the wrong unit', 'Check whether the value is in seconds or in milliseconds.'),
  'missing-script': rule('low', 'names a script that does not exist', 'Add the script, or fix the path.'),
  'not-executable': rule('low', 'runs a script that is not executable', 'Make the script executable: `chmod +x`.'),
} as const satisfies Readonly<Record<string, AuditRule>>;

export type AuditRuleId = keyof typeof AUDIT_RULES;

/**
 * Builds a violation of one of these rules.
 *
 * @param severity Given only if this case is less severe than the rule.
 */
export function auditViolation(id: AuditRuleId, message: string, severity: FindingSeverity = AUDIT_RULES[id].severity): Violation {
  return { rule: id, severity, message, hint: AUDIT_RULES[id].instead, category: 'hook' };
}

function rule(severity: FindingSeverity, about: string, instead: string): AuditRule {
  return { severity, about, instead };
}
