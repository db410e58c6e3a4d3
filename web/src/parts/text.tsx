/** Text of agents and hooks is foreign: it is shown as text, with its control characters visible and within bounds. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Mark } from '../../../src/ui/api.ts';

/** Controls but line breaks and tabs, formats (also bidirectional marks), separators, halves of pairs, and characters without a shape. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
const PLAIN = /^[\n\t\x20-\x7e]*$/;
/** A screen shows about so much. The rest needs a click, because a browser takes long to lay it out. */
const MOST_SHOWN = 6_000;

export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, shapeOf);
}

function shapeOf(char: string): string {
  const code = char.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Foreign text on one line. */
export function lineOf(text: string): string {
  return visible(text).replace(/\s+/g, ' ').slice(0, MOST_SHOWN);
}

export function Line({ text, class: name = '' }: { readonly text: string; readonly class?: string }): JSX.Element {
  return <bdi class={name}>{lineOf(text)}</bdi>;
}

/** Foreign text of any length, with the parts marked that a hook objected to. */
export function Passage({
  text,
  marks = [],
  tone = 'deny',
}: {
  readonly text: string;
  readonly marks?: readonly Mark[];
  readonly tone?: string;
}): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, text.length - MOST_SHOWN);
  const part = hidden > 0 ? text.slice(0, MOST_SHOWN) : text;
  return (
    <>
      <bdi>{marked(part, marks, tone)}</bdi>
      {hidden > 0 && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          … {hidden.toLocaleString('en')} more characters
        </button>
      )}
    </>
  );
}

function marked(text: string, marks: readonly Mark[], tone: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { from, to, says } of [...marks].sort((a, b) => a.from - b.from)) {
    if (from < at || from >= text.length || to <= from) continue;
    parts.push(visible(text.slice(at, from)));
    parts.push(
      <mark key={from} class={tone} title={visible(says)}>
        {visible(text.slice(from, to))}
      </mark>,
    );
    at = to;
  }
  parts.push(visible(text.slice(at)));
  return parts;
}

/** A command or another action, as it would run. */
export function Command(props: { readonly text: string; readonly marks?: readonly Mark[]; readonly tone?: string }): JSX.Element {
  return (
    <pre class="cmd">
      <Passage {...props} />
    </pre>
  );
}
