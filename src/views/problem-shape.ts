/** Groups faults that are alike: the same hook, the same kind, and the same text apart from numbers and paths. */
import { createHash } from 'node:crypto';

/** How faults are grouped is part of the fingerprint, so that another way of grouping never joins with this one. */
const GROUPING = 'v1';

export function fingerprint(hook: string, kind: string, shape: string): string {
  return `${GROUPING}:${digest(JSON.stringify([hook, kind, shape]))}`;
}

const known = new Map<string, string>();
const MOST_KNOWN = 1000;

/** Returns an id for a hook that is the same in every process, because a hook in code gets another id in each. Every entry needs those of its hooks. */
export function hookId(dialect: string, event: string, name: string, file: string): string {
  const key = JSON.stringify([dialect, event, name, file]);
  let id = known.get(key);
  if (id === undefined) {
    id = digest(key);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, id);
  }
  return id;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns a shape as people read it: the parts that differ from one fault to the next are left out. */
export function shownShape(shape: string): string {
  return shape.replace(/\b(?:PATH|ID|N)\b/g, '…');
}

/** Returns the text of a fault without what differs from one to the next. */
export function shapeOf(detail: string): string {
  return detail
    .replace(/(?:[A-Za-z]:)?(?:[\\/][\w.@~+-]+){2,}[\\/]?/g, 'PATH')
    .replace(/\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|(?=[a-f]*\d)[0-9a-f]{7,64})\b/gi, 'ID')
    .replace(/\d+(?:[.,]\d+)*/g, 'N');
}
