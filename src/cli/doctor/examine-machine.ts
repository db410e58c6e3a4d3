/** Whether somebody answers where the entries of an agent ask an address, and takes the token that stands in them. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Dialect } from '../../core/dialect.ts';
import type { Host } from '../../core/host.ts';
import { isGating } from '../../core/profile.ts';
import { askServer, HEALTH } from '../../daemon/ask-server.ts';
import type { InstalledFile } from '../../install/installed.ts';

export async function examineServer({ title, entry, speaks }: Host, files: readonly InstalledFile[]): Promise<readonly Diagnostic[]> {
  const findings: Diagnostic[] = [];
  for (const { file, lines, config } of files) {
    const asked = lines.filter(({ via }) => via === 'http');
    const token = /"x-hookline-token"\s*:\s*"([^"]*)"/.exec(config?.text ?? '')?.[1] ?? '';
    const ports = new Set(asked.map(({ text }) => Number(new URL(text).port || 80)));
    for (const port of ports) {
      if (await askServer({ port, token }, HEALTH)) continue;
      const events = asked.flatMap(({ event }) => event ?? []);
      const open = events.filter((event) => gates(speaks, event) && (entry.http === false || !entry.http.blocksWhenDead(event)));
      const follows = open.length === 0 ? 'What its hooks should judge is blocked.' : `Goes ahead unjudged: ${open.join(', ')}.`;
      const message = `${title} asks http://127.0.0.1:${port}, and no server answers there that knows its token. ${follows}`;
      const hint = 'Start `hookline serve --background`; if it runs already, install again with `--via http`.';
      findings.push({ severity: 'error', code: 'dead-entry', file, message, hint });
    }
  }
  return findings;
}

function gates({ profile }: Dialect, event: string): boolean {
  const rule = profile.events[event];
  return rule !== undefined && isGating(rule);
}
