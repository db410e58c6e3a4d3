/**
 * Stands in for `node:module` in the bundles. There `require` is at hand, while the module costs a quarter of a millisecond to load; and the
 * regex engine is a bundle like any other, with its compiled code beside it.
 */
exports.createRequire = () => (name) => require(name === 're2js' ? './re2js.js' : name);
