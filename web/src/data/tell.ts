/** Tells people of what waits: in words for screen readers, and by notifications of the browser. */
import { signal } from '@preact/signals';
import { hrefOf } from './address.ts';
import { leads, listen } from './stream.ts';

/** The text of the live region. */
export const announcement = signal('');
const SHORTEST_GAP_MS = 5_000;
const MOST_TEXTS = 3;

let waiting: string[] = [];
let isPlanned = false;
let lastAt = 0;

/** Says it politely, and several things at once if they come faster than they can be heard. */
export function announce(text: string): void {
  waiting.push(text);
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(say, Math.max(0, lastAt + SHORTEST_GAP_MS - Date.now()));
}

function say(): void {
  const more = waiting.length - MOST_TEXTS;
  announcement.value = [...waiting.slice(0, MOST_TEXTS), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
  waiting = [];
  isPlanned = false;
  lastAt = Date.now();
}

export const permission = signal<NotificationPermission | 'none'>(typeof Notification === 'undefined' ? 'none' : Notification.permission);
const shown = new Map<string, Notification>();

export async function askToNotify(): Promise<void> {
  if (permission.value !== 'none') permission.value = await Notification.requestPermission();
}

/** One notification for each ticket, and none once it is settled. It opens the ticket and settles nothing. */
export function startTelling(): void {
  listen('entry', (entry) => {
    if (entry.isAlarm) announce(`Alarm: a denied call ran. ${entry.what}.`);
    else if (entry.decision === 'deny' && entry.sort === 'event') announce(`Denied: ${entry.what}.`);
  });
  listen('ticket', ({ id, state, what }) => {
    if (state === 'open') announce(`An action waits for you: ${what}.`);
    else announce(`An action was settled: ${state}.`);
    if (state !== 'open') {
      shown.get(id)?.close();
      shown.delete(id);
    } else if (permission.value === 'granted' && leads.value && !shown.has(id)) {
      const notification = new Notification('An action waits for you', { body: what, tag: id });
      notification.onclick = () => {
        window.focus();
        location.hash = hrefOf('approvals', id);
      };
      shown.set(id, notification);
    }
  });
}
