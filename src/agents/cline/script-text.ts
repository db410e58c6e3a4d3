/** The script that Hookline installs for an event, as text. */
import { readLine } from '../../core/contracts/entry-line.ts';
import { isBlockingEvent } from '../../core/meaning/profile.ts';
import { ownValue } from '../../core/values/json.ts';
import { profile } from './profile.ts';

/** Cline reads no exit code. So the script itself denies if the program cannot be started, or fails. */
export function scriptText(event: string, command: string): string {
  const rule = ownValue(profile.events, event);
  if (!rule || !isBlockingEvent(rule)) return `#!/bin/sh\nexec ${command}\n`;
  return `#!/bin/sh\nif ! \\\n${command}\nthen echo '${NO_ANSWER}'\nfi\n`;
}

const NO_ANSWER = JSON.stringify({ cancel: true, errorMessage: 'Hookline did not answer. `hookline doctor` shows why.' });

/** Whether this is such a script, of any version. A script that does more than to ask Hookline is a hook like any other. */
export function isOwnScript(text: string): boolean {
  const lines = text.split('\n').filter((line) => !FRAME.test(line));
  return lines.length === 1 && readLine((lines[0] as string).replace(/^exec /, ''))?.host === 'cline';
}

const FRAME = /^(?:#.*|if ! \\|then echo '\{"cancel":true,[^']*'|fi|)$/;
