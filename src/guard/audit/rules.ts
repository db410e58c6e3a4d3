/** What the audit of a hook looks at beyond the rules for commands, as data: how bad each is at most, what it is about, what to do instead. */
import type { Accusation, FindingSeverity } from '../findings.ts';

export interface AuditRule {
  readonly severity: FindingSeverity;
  /** Ends the sentence "The hook…". */
  readonly about: string;
  readonly instead: string;
}

/** Every one of them stands in docs/audit.md. */
export const AUDIT_RULES = {
  'link-leaves-folder': rule('high', 'has a link that leads out of its folder', 'Put the file itself into the hook folder.'),
  'unaudited-file': rule('high', 'has a file that nobody can look into', 'Use a small script that can be read.'),
  'set-user-id': rule('high', "runs a file with somebody else's rights", 'Take the bit away: `chmod u-s,g-s`.'),
  'nul-byte': rule('high', 'has a NUL byte in what it runs', 'Remove it: what stands after it may be cut off, or not.'),
  'env-injects-code': rule('high', 'sets a variable that loads code into other programs', 'Call the code by its name.'),
  'http-metadata': rule('high', "asks the machine's metadata service", 'Ask a server of your own.'),
  'asks-not-to-be-audited': rule('medium', 'asks not to be audited', 'Remove the key; a waiver belongs in your own settings.'),
  'file-outside': rule('medium', 'runs a file that is neither its own nor of the project', 'Put the file into the hook folder.'),
  'world-writable': rule('medium', 'runs a file that everybody may change', 'Take the right away: `chmod o-w`.'),
  'workdir-outside': rule('medium', 'works outside of its folder and the project', 'Work below the project or the hook folder.'),
  'timeout-long': rule('medium', 'has no timeout, or one of over ten minutes', 'Give a timeout that an agent can wait for.'),
  'env-search-path': rule('medium', 'lets programs be found where others can put them', 'Use absolute folders only.'),
  'http-scheme': rule('medium', 'sends over something else than https', 'Use https.'),
  'http-credentials': rule(
    'medium',
    'has a user name or a password in its address',
    'Send it in a header that is filled from the environment.',
  ),
  'http-secret': rule('medium', 'has a secret in its address or headers', 'Keep the secret out of the file.'),
  'text-large': rule('medium', 'adds a text of over 32 KiB', 'Say less: nobody reads it, and it takes the place of the conversation.'),
  'hidden-text': rule('medium', 'holds characters that are not seen', 'Remove them, or write them as escapes.'),
  'hook-network': rule('medium', 'talks to another machine', 'Use an http hook, whose address can be seen.'),
  'hook-launcher': rule('medium', 'runs whatever version of a package is current', 'Name the exact version, or install it before.'),
  'event-in-command': rule(
    'medium',
    'expects data of the event in its command',
    'Read it from stdin or the environment; text is not filled in.',
  ),
  'http-header-secret': rule('low', 'sends a variable that holds a secret', 'Make sure that this host is meant to have it.'),
  'timeout-unit': rule('low', 'has a timeout that looks like another unit', 'Check whether seconds or milliseconds are meant.'),
  'missing-script': rule('low', 'names a script that is not there', 'Add the script, or mend the path.'),
  'not-executable': rule('low', 'runs a script that may not be executed', 'Make it executable: `chmod +x`.'),
} as const satisfies Readonly<Record<string, AuditRule>>;

export type AuditRuleId = keyof typeof AUDIT_RULES;

/** One of the rules, with what it found; severity only where the case at hand is less bad. */
export function accuse(id: AuditRuleId, message: string, severity: FindingSeverity = AUDIT_RULES[id].severity): Accusation {
  return { rule: id, severity, message, hint: AUDIT_RULES[id].instead, category: 'hook' };
}

function rule(severity: FindingSeverity, about: string, instead: string): AuditRule {
  return { severity, about, instead };
}
