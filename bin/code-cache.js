/**
 * Keeps the code that V8 compiled for an agent's event, because compiling takes a third of a cold start. Node's own cache keeps a module as it is
 * before its functions run, so each start would compile the functions again. The cache is on the user's machine, because code of another
 * version of Node cannot be used. V8 runs the code in a cache and checks little more than the length of the source. So
 * the cache is read only if writing to it gives no more power than the user has already. The folder must belong to the user alone, the user
 * must be able to write to the program itself, and no managed policy may be in force.
 */
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const PROGRAM = path.join(__dirname, '../dist/cli');
const POLICY = process.platform === 'darwin' ? '/Library/Application Support/Hookline/policy.json' : '/etc/hookline/policy.json';
/** The commands that an agent starts, and those that read the code of hooks. Each has a folder of its own, so that it finds what it needs and nothing else. */
const COMMANDS = new Set(['hook', 'guard', 'fire', 'check', 'audit', 'trust']);

module.exports = { cacheFolder, loadProgram, POLICY };

/** Returns the exports of the program's main file. */
function loadProgram(argv) {
  const folder = cacheFolder(argv, process.env);
  return folder === undefined ? require('../dist/cli/main.js') : keepCompiledCode(folder)('./main.js');
}

/** Returns undefined if no cache may be used. Creates nothing but a folder in Hookline's own state folder, if that exists. */
function cacheFolder(argv, env, { program = PROGRAM, policy = POLICY } = {}) {
  // On Windows Node reports neither the owner of a folder nor who else may write to it.
  if (!COMMANDS.has(argv[0]) || env.NODE_DISABLE_COMPILE_CACHE || process.getuid === undefined) return undefined;
  try {
    if (given(argv, 'policy') !== undefined || fs.lstatSync(policy, { throwIfNoEntry: false })) return undefined;
    fs.accessSync(program, fs.constants.W_OK);
    const folder = path.join(ownFolder(argv, env), 'code-cache');
    if (!fs.lstatSync(folder, { throwIfNoEntry: false })) makeFolder(folder);
    const found = fs.lstatSync(folder);
    const isPrivate = found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
    return isPrivate ? path.join(folder, argv[0]) : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may make it at the same time. */
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, 0o700);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/** Finds Hookline's state folder as the program itself does. For an installed entry the environment does not count: its record is there. */
function ownFolder(argv, env) {
  const record = given(argv, 'installed');
  if (record === 'account') return path.join(require('node:os').userInfo().homedir, '.local/state/hookline');
  if (record !== undefined) {
    // Without a record its folder is anybody's. The error means that there is no cache.
    fs.lstatSync(record);
    return path.dirname(record);
  }
  const home = given(argv, 'home') || env.HOOKLINE_HOME;
  if (home) return path.resolve(home, '.local/state/hookline');
  const state = env.XDG_STATE_HOME && path.isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : undefined;
  return path.join(state ?? path.join(env.HOME || require('node:os').homedir(), '.local/state'), 'hookline');
}

function given(argv, option) {
  const at = argv.findIndex((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  return at === -1 ? undefined : argv[at].includes('=') ? argv[at].slice(option.length + 3) : (argv[at + 1] ?? '');
}

/**
 * Returns a function that loads the program's files with the code that an earlier start compiled. A start that needs a file without an entry is an
 * event of a new kind, so it writes every entry again, with the functions that it compiled in all files.
 *
 * The files load each other by this function, because Node's own search for a file and its reading take longer than running it. Each is entered
 * in Node's list of modules, so that a file which another way leads to is still loaded once.
 */
function keepCompiledCode(folder) {
  const { constants, Script } = require('node:vm');
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const nodesOwn = Module.createRequire(path.join(PROGRAM, 'main.js'));
  const loaded = [];
  let isNew = false;
  const run = (module, filename) => {
    const { text, stat } = wrapped(filename);
    const entry = entryFor(folder, filename, stat);
    const cachedData = readEntry(entry);
    const script = new Script(text, { filename, cachedData, importModuleDynamically });
    loaded.push({ entry, script });
    isNew ||= cachedData === undefined || script.cachedDataRejected;
    script.runInThisContext().call(module.exports, module.exports, requireFile, module, filename, PROGRAM);
    module.loaded = true;
  };
  const requireFile = (name) => {
    if (!name.startsWith('./')) return process.getBuiltinModule(name) ?? nodesOwn(name);
    // Not by `path.join`: V8 would optimise it in another thread, for so many calls, and a process this short gains nothing from that.
    const filename = `${PROGRAM}${name.slice(1)}`;
    const known = Module._cache[filename];
    if (known) return known.exports;
    const module = new Module(filename);
    module.filename = filename;
    Module._cache[filename] = module;
    try {
      run(module, filename);
    } catch (error) {
      delete Module._cache[filename];
      throw error;
    }
    return module.exports;
  };
  // A file that is loaded by `createRequire` comes here.
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, filename, ...rest) {
    return path.dirname(filename) === PROGRAM ? run(this, filename) : compile.call(this, text, filename, ...rest);
  };
  // Written at the end, when everything that an event needs is compiled.
  process.once('exit', () => {
    if (isNew) for (const { entry, script } of loaded) writeEntry(entry, script.createCachedData());
  });
  return requireFile;
}

const [HEAD, TAIL] = Module.wrapper;
/** One buffer for all files, because memory that a process touches for the first time costs more than what is read into it. */
let room = Buffer.allocUnsafeSlow(2 ** 21);

/** Returns the file as a function's text. The build leaves only ASCII in the program's files, so a byte is a character. */
function wrapped(filename) {
  const start = room.latin1Write(HEAD, 0);
  const { end, stat } = readFile(filename, start);
  return { text: room.latin1Slice(0, end + room.latin1Write(TAIL, end)), stat };
}

/** Reads a file into the buffer, which has room for the end of a text behind it. */
function readFile(filename, start) {
  const fd = fs.openSync(filename, 'r');
  try {
    const stat = fs.fstatSync(fd);
    const { size } = stat;
    const needed = start + size + TAIL.length;
    if (needed > room.length) room = Buffer.concat([room.subarray(0, start)], needed);
    let end = start;
    while (end < start + size) {
      const read = fs.readSync(fd, room, end, start + size - end);
      if (read === 0) break;
      end += read;
    }
    return { end, stat };
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * An entry is bound to the file, its size and its times, and to the version of Node. A package manager gives the files of every release the
 * same time of change, so the time at which the file was put there counts too: code of an older release never runs.
 */
function entryFor(folder, filename, { size, mtimeMs, ctimeMs }) {
  let hash = 0;
  for (const char of path.dirname(filename)) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  const name = `${path.basename(filename)}-${hash.toString(36)}-${process.version}-${process.arch}`;
  return { file: `${folder}/${name}`, mark: Buffer.from(JSON.stringify([filename, size, mtimeMs, ctimeMs, process.versions.v8])) };
}

/** The file has the code twice, then the mark. Comparing two copies is faster than loading `zlib` for a checksum, and V8 itself checks nothing. */
function readEntry({ file, mark }) {
  try {
    const { end } = readFile(file, 0);
    const half = (end - mark.length) / 2;
    const isWhole = half > 0 && mark.compare(room, 2 * half, end) === 0 && room.subarray(0, half).compare(room, half, 2 * half) === 0;
    return isWhole ? room.subarray(0, half) : undefined;
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
