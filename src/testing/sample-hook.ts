/** A hook of a dialect on one of its events, as plain as can be. */
import type { Dialect } from '../core/dialect.ts';
import type { Hook } from '../core/hook.ts';

export function sampleHook(dialect: Dialect, event: string): Hook {
  return {
    id: 'sample',
    name: 'sample',
    dialect: dialect.id,
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'sample', scope: 'project' },
  };
}
