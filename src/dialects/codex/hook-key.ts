/** Under which name Codex keeps whether its user wants and trusts a hook: the file, the event, and how manieth group and handler it is. */
export function hookKey(file: string, event: string, group: number, handler: number): string {
  return `${file}:${event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}:${group}:${handler}`;
}
