/**
 * The answer of a program that cannot be loaded, as in a clone before `npm ci`. It says what to run. As the hook of an agent it blocks, by
 * the rules of `hookline-hook`: no hook was asked, and that is no consent. Any other command ends with 78, because nothing was denied.
 */
const fs = require('node:fs');
const path = require('node:path');

const FOLDER = path.dirname(__dirname);
const EXIT = { letsStop: 1, blocked: 2, config: 78 };

module.exports = { explain };

function explain(argv, error) {
  const message = isMissing('dist/cli/main.js')
    ? `Hookline is not built: ${FOLDER} has no \`dist\`.`
    : `Hookline cannot be loaded: ${firstLine(error)}`;
  const hint = isMissing('scripts/build.mjs')
    ? 'The package is incomplete. Run `npm install --global hookline` again.'
    : `Run \`npm ci\` in ${FOLDER}. It installs the packages and builds the program.`;
  process.exitCode = exitFor(argv);
  if (argv.includes('--json') && process.exitCode === EXIT.config)
    fs.writeSync(1, `${JSON.stringify({ error: { code: 'bad-installation', message, hint } }, null, 2)}\n`);
  else fs.writeSync(2, `hookline: ${message}\n  help: ${hint}\n`);
}

function firstLine(error) {
  return String(error?.message ?? error).split('\n', 1)[0];
}

function isMissing(name) {
  return !fs.existsSync(path.join(FOLDER, name));
}

function exitFor([command, ...rest]) {
  const words = rest.filter((word) => !word.startsWith('-'));
  const isAsked = !process.stdin.isTTY && !rest.some((word) => word === '--help' || word === '-h');
  if (command === 'guard' && isAsked) return ['explain', 'rules'].some((word) => words.includes(word)) ? EXIT.config : EXIT.blocked;
  if (command !== 'hook' || !isAsked) return EXIT.config;
  return endsWork(words) ? EXIT.letsStop : EXIT.blocked;
}

/** Whether a refusal would only send the agent back to work, again and again. The event is on the command line, or in the payload. */
function endsWork(words) {
  try {
    const [, list] = /^STOPS='([^']*)'$/m.exec(fs.readFileSync(path.join(__dirname, 'hookline-hook'), 'utf8'));
    const stops = list.trim().split(' ');
    const isStop = (event) => words.some((host) => stops.includes(`${host}/${event}`));
    return words.some(isStop) || Object.values(JSON.parse(fs.readFileSync(0, 'utf8'))).some(isStop);
  } catch {
    return false;
  }
}
