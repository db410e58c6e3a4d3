/** Lists of addresses in which `*` stands for anything, as agents have them in their settings. */
export function permitsAddress(list: readonly string[], url: string): boolean {
  return list.some((word) => new RegExp(`^${word.split('*').map(escaped).join('.*')}$`).test(url));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
