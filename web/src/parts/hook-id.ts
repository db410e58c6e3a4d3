/** The figures of a hook are kept under the digest of its format, event, name and file, because a hook in code has another id in each process. */
import { useEffect, useState } from 'preact/hooks';
import type { HookReport } from '../../../src/core/decision/outcome.ts';

const LENGTH = 16;

type Named = Pick<HookReport, 'dialect' | 'event' | 'name' | 'source'>;

async function hookId({ dialect, event, name, source }: Named): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([dialect, event, name, source.file]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, LENGTH);
}

/** Returns null until it is known. */
export function useHookId(report: Named | undefined): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    if (report) void hookId(report).then((found) => isWanted && setId(found));
    return () => {
      isWanted = false;
    };
  }, [report]);
  return id;
}
