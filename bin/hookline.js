#!/usr/bin/env node
const argv = process.argv.slice(2);
require('./code-cache.js').useCodeCache(argv);
require('../dist/cli/main.js').main(argv);
