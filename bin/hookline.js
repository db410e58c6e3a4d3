#!/usr/bin/env node
const argv = process.argv.slice(2);
// Node's own variables do not count for this program. The process that started it has put them aside, and hooks get them back.
for (const name of Object.keys(process.env)) {
  if (!name.startsWith('HOOKLINE_KEPT_NODE_')) continue;
  process.env[name.slice('HOOKLINE_KEPT_'.length)] = process.env[name];
  delete process.env[name];
}
const program = load();
if (program) program.main(argv);

function load() {
  try {
    return require('./code-cache.js').loadProgram(argv);
  } catch (error) {
    require('./not-built.js').explain(argv, error);
  }
}
