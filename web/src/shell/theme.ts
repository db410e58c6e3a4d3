/** Light or dark: as the system, until a person chooses. */
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';
const KEY = 'hookline-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const chosen = signal<Theme | null>((localStorage.getItem(KEY) as Theme | null) ?? null);
const ofSystem = signal<Theme>(system.matches ? 'dark' : 'light');

export function startTheme(): void {
  system.addEventListener('change', () => {
    ofSystem.value = system.matches ? 'dark' : 'light';
  });
  effect(() => {
    document.documentElement.dataset['theme'] = chosen.value ?? ofSystem.value;
  });
}

/** The choice is forgotten when it is the system's again. */
export function toggleTheme(): void {
  const next = (chosen.value ?? ofSystem.value) === 'dark' ? 'light' : 'dark';
  chosen.value = next === ofSystem.value ? null : next;
  if (chosen.value === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen.value);
}
