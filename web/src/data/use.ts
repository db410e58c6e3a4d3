/** Data of the server in a component: read when its address changes, and again when asked. */
import { useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StreamEvents } from '../../../src/ui/api.ts';
import { get, Refused } from './request.ts';
import { epoch } from './state.ts';
import { listen } from './stream.ts';

export interface Answer<T> {
  /** The last answer stays until the next one is there, so that nothing flickers. */
  readonly data: T | null;
  readonly error: Refused | null;
  readonly again: () => void;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** `path` null: nothing is read. */
export function useData<T>(path: string | null, query: Query = {}): Answer<T> {
  const key = path === null ? null : `${path}?${JSON.stringify(query)}`;
  const [state, setState] = useState<{ key: string | null; data: T | null; error: Refused | null }>({ key: null, data: null, error: null });
  const [turn, setTurn] = useState(0);
  const latest = useRef({ path, query });
  latest.current = { path, query };
  useSignalEffect(() => {
    if (epoch.value > 0) setTurn((one) => one + 1);
  });
  // Not after the paint, which would come first.
  useLayoutEffect(() => {
    const { path: from, query: of } = latest.current;
    if (from === null) return;
    const abort = new AbortController();
    get<T>(from, of, abort.signal).then(
      (data) => setState({ key, data, error: null }),
      (error) => {
        if (abort.signal.aborted) return;
        setState((old) => ({ ...old, key, error: error instanceof Refused ? error : new Refused(0, { detail: String(error) }) }));
      },
    );
    return () => abort.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((one) => one + 1), []);
  const isSame = state.key?.split('?')[0] === key?.split('?')[0];
  return { data: isSame ? state.data : null, error: isSame ? state.error : null, again };
}

/** Calls back for each event while the component is shown. */
export function useStream<N extends keyof StreamEvents>(name: N, listener: (data: StreamEvents[N]) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => listen(name, (data) => latest.current(data)), [name]);
}
