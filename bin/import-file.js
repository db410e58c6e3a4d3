/**
 * Imports an ES module by the URL of its file, for the program. It is a file of its own, because code that comes out of the code cache has lost the
 * loader that an `import()` needs.
 */
module.exports = (url) => import(url);
