/** Context that an agent does not give its model whole: the log has how much each hook has added. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Host } from '../../core/host.ts';
import type { Examined } from './examine-host.ts';
import type { LogFacts } from './examine-log.ts';

export function tooLong(
  { title }: Host,
  { report, limits: { context } }: Examined,
  { added }: Pick<LogFacts, 'added'>,
): readonly Diagnostic[] {
  if (!report.installed || !context) return [];
  return [...added]
    .filter(([, length]) => length > context.most)
    .map(([name, length]) => ({
      severity: 'warning',
      code: 'context-truncated',
      message: `Hook \`${name}\` has added ${length} characters; ${title} takes ${context.most} from a hook: ${context.beyond}.`,
      hint: 'Let it add what the agent needs now, and name a file for the rest.',
    }));
}
