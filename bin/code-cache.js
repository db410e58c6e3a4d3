/**
 * Keeps the code that V8 compiled for an agent's event, because compiling takes a third of a cold start. Node's own cache keeps a module as it is
 * before its functions run, so each start would compile the functions again. The cache is on the user's machine, because code of another
 * version of Node cannot be used. V8 runs the code in a cache and checks little more than the length of the source. So
 * the cache is read only if writing to it gives no more power than the user has already. The folder must belong to the user alone, the user
 * must be able to write to the program itself, and no managed policy may be in force.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { homedir, userInfo } = require('node:os');
const path = require('node:path');

const PROGRAM = path.join(__dirname, '../dist/cli');
const POLICY = process.platform === 'darwin' ? '/Library/Application Support/Hookline/policy.json' : '/etc/hookline/policy.json';
/** The commands that an agent starts, and those that read the code of hooks. Each has a folder of its own, so that it finds what it needs and nothing else. */
const COMMANDS = new Set(['hook', 'guard', 'fire', 'check', 'audit', 'trust']);

module.exports = { cacheFolder, POLICY, useCodeCache };

function useCodeCache(argv) {
  const folder = cacheFolder(argv, process.env);
  if (folder !== undefined) keepCompiledCode(folder);
}

/** Returns undefined if no cache may be used. Creates nothing but a folder in Hookline's own state folder, if that exists. */
function cacheFolder(argv, env, { program = PROGRAM, policy = POLICY } = {}) {
  // On Windows Node reports neither the owner of a folder nor who else may write to it.
  if (!COMMANDS.has(argv[0]) || env.NODE_DISABLE_COMPILE_CACHE || process.getuid === undefined) return undefined;
  try {
    if (given(argv, 'policy') !== undefined || fs.lstatSync(policy, { throwIfNoEntry: false })) return undefined;
    fs.accessSync(program, fs.constants.W_OK);
    const folder = path.join(ownFolder(argv, env), 'code-cache');
    if (!fs.lstatSync(folder, { throwIfNoEntry: false })) fs.mkdirSync(folder, 0o700);
    const found = fs.lstatSync(folder);
    const isPrivate = found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
    return isPrivate ? path.join(folder, argv[0]) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds Hookline's state folder as the program itself does. For an installed entry the environment does not count: its record is there. */
function ownFolder(argv, env) {
  const record = given(argv, 'installed');
  if (record === 'account') return path.join(userInfo().homedir, '.local/state/hookline');
  if (record !== undefined) {
    // Without a record its folder is anybody's. The error means that there is no cache.
    fs.lstatSync(record);
    return path.dirname(record);
  }
  const home = given(argv, 'home') || env.HOOKLINE_HOME;
  if (home) return path.resolve(home, '.local/state/hookline');
  const state = env.XDG_STATE_HOME && path.isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : undefined;
  return path.join(state ?? path.join(env.HOME || homedir(), '.local/state'), 'hookline');
}

function given(argv, option) {
  const at = argv.findIndex((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  return at === -1 ? undefined : argv[at].includes('=') ? argv[at].slice(option.length + 3) : (argv[at + 1] ?? '');
}

/**
 * Loads the program's files with the code that an earlier start compiled. A start that needs a file without an entry is an event of a new kind,
 * so it writes every entry again, with the functions that it compiled in all files.
 */
function keepCompiledCode(folder) {
  const { constants, Script } = require('node:vm');
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const loaded = [];
  let isNew = false;
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, filename, ...rest) {
    if (path.dirname(filename) !== PROGRAM) return compile.call(this, text, filename, ...rest);
    const entry = entryFor(folder, filename);
    const cachedData = readEntry(entry);
    const script = new Script(Module.wrap(text), { filename, cachedData, importModuleDynamically });
    loaded.push({ entry, script });
    isNew ||= cachedData === undefined || script.cachedDataRejected;
    const parts = [this.exports, Module.createRequire(filename), this, filename, path.dirname(filename)];
    return script.runInThisContext().apply(this.exports, parts);
  };
  // Written at the end, when everything that an event needs is compiled.
  process.once('exit', () => {
    if (isNew) for (const { entry, script } of loaded) writeEntry(entry, script.createCachedData());
  });
}

/**
 * An entry is bound to the file, its size and its times, and to the version of Node. A package manager gives the files of every release the
 * same time of change, so the time at which the file was put there counts too: code of an older release never runs.
 */
function entryFor(folder, filename) {
  const { size, mtimeMs, ctimeMs } = fs.statSync(filename);
  let hash = 0;
  for (const char of path.dirname(filename)) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  const name = `${path.basename(filename)}-${hash.toString(36)}-${process.version}-${process.arch}`;
  return { file: path.join(folder, name), mark: Buffer.from(JSON.stringify([filename, size, mtimeMs, ctimeMs, process.versions.v8])) };
}

/** Writes the code twice, then the mark. Comparing two copies is faster than loading `zlib` for a checksum, and V8 itself checks nothing. */
function readEntry({ file, mark }) {
  try {
    const content = fs.readFileSync(file);
    const half = (content.length - mark.length) / 2;
    const isWhole =
      half > 0 && content.subarray(2 * half).equals(mark) && content.subarray(0, half).equals(content.subarray(half, 2 * half));
    return isWhole ? content.subarray(0, half) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the entry in one step. A failure does not affect the program, which compiles the code again at the next start. */
function writeEntry({ file, mark }, code) {
  const temporary = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(temporary, Buffer.concat([code, code, mark]), { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
