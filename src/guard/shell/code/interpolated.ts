/** Texts that contain expressions of the language: `${x}`, `#{x}`, `{x}`, `$x`. */
import type { Flavour } from '../foreign/flavour.ts';

/** Where a text contains an expression. */
const HOLES: Readonly<Record<string, RegExp>> = {
  js: /\$\{([^{}]{1,300})\}/g,
  ruby: /#\{([^{}]{1,300})\}/g,
  python: /\{([^{}]{1,300})\}/g,
  php: /\{(\$[^{}]{1,300})\}|(\$\w{1,60}(?:\[['"]?\w+['"]?\])?)/g,
  perl: /(\$ENV\{\w+\})|@\{\[([^\]]{1,300})\]\}|(\$\{?\w{1,60}\}?)/g,
  other: /[$#]\{([^{}]{1,300})\}|\$\(([^()]{1,300})\)|\$([A-Za-z_]\w{0,60})/g,
};

/** @param value Returns the text of an expression. */
export function interpolated(body: string, flavour: Flavour, value: (code: string) => string): string {
  const holes = HOLES[flavour] ?? HOLES['other'];
  if (holes === undefined) return body;
  return body.replace(holes, (_, ...groups: (string | undefined)[]) => value(groups.find((group) => typeof group === 'string') ?? ''));
}
