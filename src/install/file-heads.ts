/** What some agents' files must say about themselves before the agent reads anything else in them. Written only where it is missing. */
export type Head = Readonly<Record<string, unknown>>;

const HEADS: readonly { readonly file: RegExp; readonly head: Head }[] = [
  { file: /(?:^|\/)\.cursor\/hooks\.json$/, head: { version: 1 } },
  { file: /(?:^|\/)\.(?:copilot|github)\/hooks\/[^/]+\.json$/, head: { version: 1 } },
];

export function headOf(file: string): Head {
  const forward = file.replaceAll('\\', '/');
  return HEADS.find((one) => one.file.test(forward))?.head ?? {};
}
