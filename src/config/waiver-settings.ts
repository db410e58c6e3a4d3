/** The waivers in the user's settings. One that lacks its reason or its end is none: what is accepted must be said, and looked at again. */
import { type Entry, entryOf, type Node } from '../core/document.ts';
import type { Complaints } from '../core/loading.ts';
import { readExpiry, type Waiver } from '../core/waiver.ts';
import { wrongType } from './settings-values.ts';

export function readWaivers(entry: Entry, complaints: Complaints): readonly Waiver[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of waivers', complaints);
    return undefined;
  }
  return entry.value.items.flatMap((item) => {
    const [hook, reason, expires] = [textUnder(item, 'hook'), textUnder(item, 'reason'), textUnder(item, 'expires')];
    const rules = textsUnder(item, 'rules');
    const lacks = !hook
      ? 'hook'
      : !rules
        ? 'rules'
        : !reason
          ? 'reason'
          : expires === '' || readExpiry(expires) === undefined
            ? 'expires'
            : undefined;
    if (lacks === undefined && rules) return [{ hook, rules, reason, expires }];
    complaints.say(
      'warning',
      'bad-waiver',
      item.at,
      `This is no waiver, for want of a usable \`${lacks}\`; nothing is waived by it.`,
      HINT,
    );
    return [];
  });
}

const HINT = 'Write `{ "hook": "name or sha256:…", "rules": ["exec-remote"], "reason": "why", "expires": "2030-01-31" }`.';

function textUnder(node: Node, key: string): string {
  const value = entryOf(node, key)?.value;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value.trim() : '';
}

function textsUnder(node: Node, key: string): readonly string[] | undefined {
  const value = entryOf(node, key)?.value;
  if (value?.kind !== 'list' || value.items.length === 0) return undefined;
  const texts = value.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
  return texts.length === value.items.length ? texts : undefined;
}
