/** Copies text, and says so for a moment. */
import { signal } from '@preact/signals';
import { announce } from '../data/tell.ts';

export const note = signal<string | null>(null);
const NOTE_MS = 2_500;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  note.value = text;
  announce(text);
  clearTimeout(timer);
  timer = setTimeout(() => {
    note.value = null;
  }, NOTE_MS);
}

export function copy(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => say(`Copied ${what}.`),
    () => say('The browser did not permit to copy.'),
  );
}

export function copyLink(): void {
  copy(location.href, 'the link');
}
