/**
 * Copied to dist/cli/start.js. Loads the bundles of the program with the compiled code that the build left beside them: compiling is
 * half of a cold start. Code of another version of V8 is refused by V8 itself, and the bundle is then compiled as ever.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const modules = new Map();
const scripts = new Map();
module.exports = { load, scripts };

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const loaded = { exports: {} };
  modules.set(name, loaded);
  const file = path.join(__dirname, name);
  // The text of a function: the build has put it around each bundle.
  const script = new Script(readFileSync(file, 'utf8'), { filename: file, cachedData: cacheOf(file) });
  scripts.set(file, script);
  const fromHere = (wanted) => (wanted.startsWith('./') ? load(wanted.slice(2)) : require(wanted));
  script.runInThisContext()(loaded.exports, fromHere, loaded, file);
  return loaded.exports;
}

function cacheOf(file) {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}
