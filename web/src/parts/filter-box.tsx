/** The filter: each condition can be removed, and a line takes new ones. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FacetsAnswer } from '../../../src/ui/api.ts';
import { address, CONDITIONS, go, hrefOf, type Query } from '../data/address.ts';
import { get } from '../data/request.ts';
import { inWords, readConditions } from './condition.ts';
import { Icon } from './icon.tsx';
import { useKeys } from './keys.ts';
import { Line } from './text.tsx';

const FACETS = ['tool', 'kind', 'host', 'user', 'project'] as const;
const DECISIONS = ['deny', 'hold', 'ask', 'allow', 'pass', 'deny,hold'];
const MOST_VALUES = 12;

export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const { screen, id, query } = address.value;
  go(hrefOf(screen, id, { ...query, ...changes }));
}

export function FilterBox({ query, hint }: { readonly query: Query; readonly hint: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState<readonly string[]>([]);
  useKeys({ '/': () => input.current?.focus() });
  const given = CONDITIONS.filter((name) => query[name] !== undefined);
  const suggest = (): void => {
    if (values.length > 0) return;
    const found = FACETS.map(async (name) => {
      const { values: facets } = await get<FacetsAnswer>(`facets/${name}`);
      return facets.slice(0, MOST_VALUES).map(({ value }) => `${name}:${/\s/.test(value) ? `"${value}"` : value}`);
    });
    void Promise.all(found).then(
      (all) => setValues([...DECISIONS.map((one) => `decision:${one}`), 'fault:1', ...all.flat()]),
      () => {},
    );
  };
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [query]);
  return (
    <search class="filter-box">
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') setQuery({ ...readConditions(typed), entry: null });
          setTyped('');
        }}
      >
        <Icon name="search" />
        <span class="toks">
          {given.map((name) => {
            const [label, value] = inWords(name, query[name] ?? '');
            return (
              <button key={name} type="button" class="tok" onClick={() => setQuery({ [name]: null, entry: null })}>
                <span>{label}</span>
                <Line text={value} />
                <Icon name="cross" />
              </button>
            );
          })}
        </span>
        <input
          ref={input}
          aria-label="Filter"
          placeholder={given.length > 0 ? 'and …' : hint}
          value={typed}
          list="conditions"
          autocomplete="off"
          spellcheck={false}
          onFocus={suggest}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            const last = given.at(-1);
            if (event.key === 'Backspace' && typed === '' && last) setQuery({ [last]: null, entry: null });
            if (event.key === 'Escape') input.current?.blur();
          }}
        />
        <datalist id="conditions">
          {values.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
        <span class="kbd" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}
