/** Texts that a model or a person reads: what is hidden in them, and how much it is. What they say is not judged. */
import { isObject } from '../core/json.ts';
import { accuse } from './audit-rules.ts';
import { type Finding, finding } from './findings.ts';

const MOST_TEXT = 32 * 1024;
const MOST_DEPTH = 16;
/** Zero width, direction, tag and variation characters that draw nothing, or turn around what is drawn. */
const HIDDEN =
  /[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/u;
/** Where they belong: in emoji put together from others, in flags, and at the start of a file. */
const ORDINARY = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}|\p{Emoji}\uFE0F?\u{200D}(?=\p{Emoji})|^\uFEFF/gu;

/** Every text of a handler's config. */
export function judgeTexts(config: unknown): readonly Finding[] {
  return textsIn(config, 0).flatMap((text) => {
    const found = hiddenIn(text);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MOST_TEXT) return found;
    return [...found, finding(accuse('text-large', `Adds a text of ${Math.ceil(bytes / 1024)} KiB.`), text.slice(0, 200))];
  });
}

function hiddenIn(text: string): readonly Finding[] {
  const rest = text.replace(ORDINARY, 'x');
  const at = HIDDEN.exec(rest)?.index;
  if (at === undefined) return [];
  const code = `U+${(rest.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `Holds characters that are not seen or that turn the text around (${code}).`;
  return [finding(accuse('hidden-text', message), rest.slice(Math.max(0, at - 20), at + 40))];
}

function textsIn(config: unknown, depth: number): readonly string[] {
  if (typeof config === 'string') return [config];
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(config)) return config.flatMap((item) => textsIn(item, depth + 1));
  return isObject(config) ? Object.entries(config).flatMap(([key, item]) => [key, ...textsIn(item, depth + 1)]) : [];
}
