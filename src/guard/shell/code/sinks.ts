/**
 * The deeds of functions in other languages, as data. A function is known by its module and its name, under any name that the code gives it.
 * A method of an object that is not known counts only if its name has one meaning.
 */

/**
 * `shell`: runs a text in a shell, or a list as words. `words`: all arguments are words. `later`: the first argument is a mode. `argv`: a
 * program and its list of words with the name. `file`: a program and a list of words. `rmtree`: deletes a folder. `rm`: deletes files, and
 * folders with an option. `unlink`: deletes files. `eval`: runs code of the same language. `fetch`: returns text from the network.
 */
export type Act =
  | ('shell' | 'words' | 'later' | 'argv' | 'file' | 'process' | 'rmtree' | 'rm' | 'unlink' | 'trash' | 'write' | 'append' | 'copy')
  | (
      | 'move'
      | 'link'
      | 'chdir'
      | 'truncate'
      | 'chmod'
      | 'kill'
      | 'open'
      | 'read'
      | 'eval'
      | 'load'
      | 'fetch'
      | 'decode'
      | 'home'
      | 'environment'
    )
  | (
      | 'above'
      | 'here'
      | 'walk'
      | 'glob'
      | 'each'
      | 'map'
      | 'join'
      | 'joined'
      | 'same'
      | 'require'
      | 'attribute'
      | 'bind'
      | 'thread'
      | 'stdin'
      | 'characters'
      | 'format'
      | 'fork'
      | 'sql'
    );

interface Table {
  get(name: string): Act | undefined;
}

/** Makes a table at its first use, because most commands contain no code. */
function rows(table: Readonly<Partial<Record<Act, string>>>): Table {
  let made: ReadonlyMap<string, Act> | undefined;
  return {
    get(name) {
      made ??= new Map(Object.entries(table).flatMap(([act, names]) => names.split(/\s+/).map((each) => [each, act as Act] as const)));
      return made.get(name);
    },
  };
}

const PYTHON = rows({
  shell:
    'os.system os.popen subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput commands.getstatusoutput popen2.popen2 asyncio.create_subprocess_shell pexpect.run pexpect.spawn pty.spawn platform.popen invoke.run fabric.local',
  words: 'os.execl os.execlp os.execle os.execlpe asyncio.create_subprocess_exec',
  argv: 'os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp',
  later: 'os.spawnl os.spawnlp os.spawnv os.spawnvp os.spawnve os.spawnle',
  rmtree: 'shutil.rmtree distutils.dir_util.remove_tree os.removedirs',
  unlink: 'os.remove os.unlink os.rmdir pathlib.Path.unlink',
  trash: 'send2trash.send2trash',
  copy: 'shutil.copy shutil.copy2 shutil.copyfile shutil.copytree',
  move: 'shutil.move os.rename os.replace os.renames',
  link: 'os.symlink os.link',
  chdir: 'os.chdir contextlib.chdir',
  truncate: 'os.truncate',
  chmod: 'os.chmod os.chown shutil.chown os.lchown',
  kill: 'os.kill os.killpg',
  open: 'open io.open codecs.open builtins.open',
  eval: 'exec eval builtins.exec builtins.eval __builtins__.exec __builtins__.eval compile code.interact runpy.run_string pickle.loads pickle.load dill.loads marshal.loads marshal.load',
  load: 'runpy.run_path execfile',
  fetch: 'urllib.request.urlopen urllib2.urlopen urllib.urlopen requests.get requests.post httpx.get httpx.post',
  decode:
    'base64.b64decode base64.b32decode base64.b85decode base64.urlsafe_b64decode bytes.fromhex binascii.unhexlify codecs.decode zlib.decompress',
  home: 'pathlib.Path.home Path.home',
  environment: 'os.getenv os.environ.get os.path.expandvars os.environ.pop',
  walk: 'os.walk os.fwalk',
  glob: 'os.listdir os.scandir glob.glob glob.iglob',
  map: 'map filter list sorted reversed set tuple iter any all sum',
  join: 'os.path.join pathlib.Path pathlib.PurePath pathlib.PosixPath Path posixpath.join',
  same: 'os.path.expanduser os.path.abspath os.path.realpath os.path.normpath os.fspath str bytes shlex.quote shlex.join bytearray',
  above: 'os.path.dirname',
  here: 'os.getcwd os.getcwdb pathlib.Path.cwd Path.cwd',
  require: '__import__ importlib.import_module',
  attribute: 'getattr operator.attrgetter',
  bind: 'functools.partial partial',
  thread:
    'threading.Thread threading.Timer multiprocessing.Process atexit.register sched.scheduler concurrent.futures.ThreadPoolExecutor.submit',
  stdin: 'sys.stdin.read input sys.stdin.readline',
  characters: 'chr',
  fork: 'os.fork os.forkpty',
});

const FS = 'rmdir rmdirSync unlink unlinkSync';
const JS = rows({
  shell:
    'child_process.exec child_process.execSync shelljs.exec execa.command execa.commandSync execa.execaCommand execa.execaCommandSync execaCommand execaCommandSync',
  file: 'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync execa execa.execa execa.execaSync execaSync execa.sync cross-spawn cross-spawn.sync Deno.Command',
  process: 'Deno.run Bun.spawn Bun.spawnSync binding:spawn_sync.spawn binding:process_wrap.Process.spawn',
  rm: `fs.rm fs.rmSync ${FS.split(' ')
    .map((name) => `fs.${name}`)
    .join(' ')} Deno.remove Deno.removeSync`,
  rmtree:
    'fs-extra.remove fs-extra.removeSync fs-extra.emptyDir fs-extra.emptyDirSync fs.remove fs.removeSync fs.emptyDirSync rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync rimraf.native del del.sync del.deleteAsync del.deleteSync deleteAsync deleteSync shelljs.rm',
  trash: 'trash',
  write:
    'fs.writeFile fs.writeFileSync fs.createWriteStream Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Bun.write fs-extra.outputFile fs-extra.outputFileSync fs.outputFileSync',
  append: 'fs.appendFile fs.appendFileSync',
  copy: 'fs.copyFile fs.copyFileSync fs.cp fs.cpSync fs.copySync fs-extra.copy fs-extra.copySync',
  move: 'fs.rename fs.renameSync fs.moveSync fs-extra.move fs-extra.moveSync Deno.rename',
  link: 'fs.symlink fs.symlinkSync fs.link fs.linkSync',
  chdir: 'process.chdir Deno.chdir',
  truncate: 'fs.truncate fs.truncateSync',
  chmod: 'fs.chmod fs.chmodSync fs.chown fs.chownSync',
  kill: 'process.kill',
  read: 'fs.readFile fs.readFileSync Deno.readTextFile Deno.readTextFileSync Bun.file',
  eval: 'eval Function AsyncFunction vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction worker_threads.Worker Worker globalThis.eval setTimeout setInterval setImmediate',
  fetch: 'fetch axios axios.get axios.post got ky undici.fetch node-fetch https.get http.get https.request http.request',
  decode: 'atob',
  home: 'os.homedir homedir Deno.homeDir',
  environment: 'Deno.env.get Bun.env.get',
  glob: 'fs.readdir fs.readdirSync glob glob.sync glob.globSync globby globby.sync fast-glob fast-glob.sync Deno.readDir Deno.readDirSync fs.globSync fs.opendirSync',
  above: 'path.dirname path.posix.dirname',
  here: 'process.cwd Deno.cwd',
  join: 'path.join path.resolve path.posix.join',
  same: 'Object.values Object.entries path.normalize String fileURLToPath url.fileURLToPath URL Promise.resolve Object.freeze util.promisify promisify',
  require: 'require module.require process.mainModule.require createRequire module.createRequire process.getBuiltinModule import',
  attribute: 'Reflect.get',
  bind: 'Reflect.apply',
  each: 'Promise.all Array.from Object.values',
  characters: 'String.fromCharCode String.fromCodePoint',
  fork: 'child_process.fork',
});

const RUBY = rows({
  shell:
    'system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec Process.run IO.popen Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 PTY.spawn Open3.pipeline sh',
  rmtree:
    'FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure rm_rf rm_r',
  unlink: 'FileUtils.rm FileUtils.rm_f FileUtils.safe_unlink File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rmdir',
  write: 'File.write IO.write File.binwrite IO.binwrite',
  copy: 'FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.install',
  move: 'FileUtils.mv FileUtils.move File.rename',
  link: 'File.symlink FileUtils.ln_s FileUtils.ln_sf FileUtils.ln File.link',
  chdir: 'Dir.chdir FileUtils.cd FileUtils.chdir',
  truncate: 'File.truncate',
  chmod: 'File.chmod FileUtils.chmod FileUtils.chmod_R FileUtils.chown FileUtils.chown_R File.chown',
  kill: 'Process.kill',
  open: 'open File.open File.new Kernel.open',
  read: 'File.read IO.read File.binread IO.readlines',
  eval: 'eval Kernel.eval instance_eval class_eval module_eval binding.eval RubyVM.InstructionSequence.compile',
  load: 'load',
  fetch: 'URI.open OpenURI.open_uri Net.HTTP.get HTTParty.get',
  decode: 'Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64',
  home: 'Dir.home Path.home Etc.getpwuid.dir Etc.getpwnam.dir',
  environment: 'ENV.fetch ENV.dig ENV.values_at',
  glob: 'Dir.children Dir.entries Dir.each_child Dir.foreach Dir.glob Dir Pathname.glob',
  walk: 'Find.find',
  above: 'File.dirname',
  here: 'Dir.pwd Dir.getwd FileUtils.pwd',
  join: 'File.join Pathname Pathname.new',
  same: 'File.expand_path File.realpath File.absolute_path String Shellwords.escape Shellwords.join',
  attribute: 'Object.const_get Kernel.const_get const_get',
  stdin: 'STDIN.read $stdin.read gets ARGF.read',
  fork: 'fork Process.fork',
});

const PERL = rows({
  shell: 'system exec readpipe CORE.system CORE.exec IPC.Open2.open2 IPC.Open3.open3',
  joined: 'join',
  rmtree: 'rmtree remove_tree File.Path.rmtree File.Path.remove_tree',
  unlink: 'unlink rmdir',
  copy: 'copy File.Copy.copy cp',
  move: 'rename move File.Copy.move mv',
  link: 'symlink link',
  chdir: 'chdir',
  truncate: 'truncate',
  kill: 'kill',
  open: 'open',
  eval: 'eval',
  load: 'do require',
  fetch: 'get LWP.Simple.get getprint',
  decode: 'decode_base64 MIME.Base64.decode_base64 unpack',
  glob: 'glob bsd_glob File.Glob.bsd_glob readdir',
  walk: 'find finddepth File.Find.find File.Find.finddepth',
  same: 'abs_path realpath',
  characters: 'chr',
  stdin: 'STDIN',
  fork: 'fork',
});

const PHP = rows({
  shell: 'system exec shell_exec passthru popen proc_open',
  argv: 'pcntl_exec',
  unlink: 'unlink rmdir',
  write: 'file_put_contents',
  copy: 'copy',
  above: 'dirname',
  here: 'getcwd',
  joined: 'implode join',
  move: 'rename',
  link: 'symlink link',
  chdir: 'chdir',
  chmod: 'chmod chown',
  kill: 'posix_kill',
  open: 'fopen',
  read: 'file_get_contents readfile file',
  eval: 'eval assert create_function',
  load: 'include include_once require require_once',
  decode: 'base64_decode hex2bin gzinflate gzuncompress str_rot13 convert_uudecode',
  environment: 'getenv',
  glob: 'glob scandir GlobIterator',
  walk: 'RecursiveIteratorIterator RecursiveDirectoryIterator FilesystemIterator DirectoryIterator',
  map: 'array_map array_walk array_filter call_user_func call_user_func_array iterator_apply',
  join: '',
  same: 'realpath escapeshellarg escapeshellcmd strval new',
  characters: 'chr',
  fork: 'pcntl_fork',
});

const LUA = rows({
  shell: 'os.execute io.popen',
  unlink: 'os.remove',
  move: 'os.rename',
  environment: 'os.getenv',
  open: 'io.open',
  fetch: 'socket.http.request ssl.https.request http.request https.request',
  require: 'require',
  eval: 'load loadstring',
  load: 'dofile',
  characters: 'string.char',
});

/** Languages without a table of their own: functions with a name that no other language uses for something harmless. */
const OTHER = rows({
  shell:
    'system system2 shell Sys.command Unix.system Unix.open_process Unix.open_process_in os.system execShellCmd execCmd execCmdEx execProcess Process.Start callCommand readCreateProcess shellExecute :os.cmd os.cmd os:cmd System.shell Port.open sys.process.Process Runtime.getRuntime.exec std.process.executeShell executeShell spawnShell run libc.system C.system qprocess shell-command call-process-shell-command',
  words:
    'exec.Command System.cmd ProcessBuilder java.lang.ProcessBuilder process.execute Process.run Process.start Process.runSync execl execlp execle uiop.run-program sb-ext.run-program ProcessStartInfo',
  argv: 'execv execvp execve',
  file: 'Command.new std.process.Command.new rawSystem callProcess readProcess proc',
  rmtree:
    'os.RemoveAll removeDir removeDirectoryRecursive File.rm_rf! File.rm_rf file.del_dir_r std.fs.remove_dir_all fs.remove_dir_all remove_dir_all os.rmdir_all rmdirRecurse FileUtils.deleteDirectory FileUtils.forceDelete FileUtils.rm_rf FileUtils.rm_r Files.deleteRecursively delete-directory removeItem FileManager.default.removeItem rmtree filesystem.remove_all std.filesystem.remove_all remove_all rm',
  unlink:
    'os.Remove unlink remove removeFile File.rm File.rm! File.delete Files.delete Files.deleteIfExists file.delete delete-file std.fs.remove_file fs.remove_file file.remove',
  home: 'os.UserHomeDir getHomeDir homedir getHomeDirectory System.user_home System.user_home! NSHomeDirectory FileManager.default.homeDirectoryForCurrentUser.path os.home_dir Path.home dirs.home_dir',
  environment: 'System.getenv os.Getenv Sys.getenv getenv System.get_env Unix.getenv getEnv std.env.var env.var',
  join: 'filepath.Join path.join file.path Path.join',
  same: 'path.expand normalizePath expand-file-name String File Paths.get Path.of java.io.File c URL',
  chdir: 'setwd os.Chdir chdir',
  open: 'open fopen',
  eval: 'eval',
});

const TABLES: Readonly<Record<string, Table>> = { python: PYTHON, js: JS, ruby: RUBY, perl: PERL, php: PHP, lua: LUA };

/** Methods with one meaning, whatever their object is. */
const METHODS = rows({
  rmtree: 'rmtree rm_rf removeDirectoryRecursive deleteRecursively remove_dir_all RemoveAll',
  rm: 'rmSync rmdirSync',
  unlink: 'unlink unlinkSync',
  shell: 'execSync system shell_exec popen check_output check_call execCommand',
  file: 'spawnSync execFileSync',
  write: 'write_text write_bytes writeFileSync binwrite',
  append: 'appendFileSync',
  sql: 'execute executescript executemany query exec raw $executeRawUnsafe $queryRawUnsafe executeUpdate',
});
/** Methods of a path. */
const OF_PATH = rows({
  unlink: 'unlink delete rmdir remove',
  rmtree: 'rmtree deleteSync deleteRecursively',
  write: 'write_text write_bytes write setText',
  open: 'open',
  glob: 'iterdir children glob entries listFiles',
  walk: 'rglob walk find each_entry descend walkTopDown',
  shell: 'execute',
});

export function actOf(name: string, flavour: string): Act | undefined {
  const table = TABLES[flavour] ?? OTHER;
  return table.get(name) ?? (flavour === 'other' ? undefined : MODULES.get(name));
}

/** Functions that are known by their module in every language. */
const MODULES = rows({ shell: 'child_process.execSync', rmtree: 'shutil.rmtree FileUtils.rm_rf' });

export function methodAct(name: string, onPath: boolean): Act | undefined {
  return (onPath ? OF_PATH.get(name) : undefined) ?? METHODS.get(name);
}
