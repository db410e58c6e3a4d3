/** What a sheet of rules may hold beside rules. */

/** A class of paths: those that one of `is` matches and none of `not`. `~` is the home, `**` any number of folders. */
export interface PathGlobs {
  readonly is: readonly string[];
  readonly not: readonly string[];
}

/** How a command's words are read. */
export interface CommandSyntax {
  /** Options whose value is the next word. */
  readonly valued: readonly string[];
}
