/** Imports a module by the URL of its file. Packages of the AI SDK are ES modules, and the program is CommonJS. */

/**
 * Imports the module. The build of the program keeps this one call as a real `import()`: a `require` cannot load every ES module. The comments
 * keep bundlers from following it.
 */
export function importFile(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ url);
}
