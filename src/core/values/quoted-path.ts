/** A path as a person pastes it into a shell: in quotes if it has a space or any other character that a shell reads. */
export function quotedPath(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
}
