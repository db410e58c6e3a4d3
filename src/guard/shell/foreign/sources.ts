/**
 * Where data in code of other languages comes from and where it has an effect, as data: the calls that return text from the network, decode
 * text, open a connection, run code, load a file or send text. Names are chains without `new`, joined by dots.
 */

/** The origins of a value. A value can have several. */
export const ORIGIN = { remote: 1, decoded: 2, secret: 4, socket: 8, shell: 16, address: 32 } as const;

/** Calls that return text from the network, or an object that does. */
export const FETCHES =
  /^(fetch|\$fetch|ofetch|got|axios|ky|needle|superagent|undici|urlopen|urlretrieve|wget|curl_exec|get_url)$|^(globalThis|window|self)\.fetch$|^(axios|got|ky|needle|superagent|undici|request|https?|http2)\.(get|post|put|request|head|stream|connect|fetch)$|(^|\.)(urlopen|urlretrieve)$|^(requests|httpx|aiohttp|urllib3)\.(get|post|put|patch|request|stream|Session|Client|AsyncClient|ClientSession|PoolManager|session)$|(^|\.)HTTPS?Connection$|^(URI|OpenURI)\.(open|open_uri)$|^Net\.HTTP(\.|$)|^(HTTParty|Faraday|RestClient|Excon|HTTP)\.(get|post|new)$|^LWP\.Simple\.get$|^(LWP\.UserAgent|HTTP\.Tiny|WWW\.Mechanize)\.new(\.|$)|^(iwr|irm|invoke-webrequest|invoke-restmethod)$|\.(downloadstring|downloaddata|getstringasync)$|^(GuzzleHttp\.Client|socket\.http\.request|http\.request)$/;
/** Calls that open a connection. The text that is read from it comes from the network. */
export const CONNECTS =
  /^(socket\.(socket|create_connection)|create_connection|net\.(connect|createConnection|Socket)|tls\.connect|TCPSocket\.(new|open)|IO\.Socket\.(INET|SSL|IP)(\.new)?|fsockopen|pfsockopen|stream_socket_client|socket_create|Deno\.connect|WebSocket|websocket\.create_connection)$/;
/** Calls that read an address if their first argument is one. */
export const READS_ADDRESS = /^(open|file_get_contents|fopen|readfile|copy|getstore|URI)$/;
export const DECODES =
  /(^|\.)(b64decode|urlsafe_b64decode|b32decode|b85decode|a85decode|decode64|strict_decode64|urlsafe_decode64|base64_decode|atob|decode_base64|unhexlify|a2b_hex|a2b_base64|fromhex|hex2bin|gzinflate|gzuncompress|str_rot13|convert_uudecode)$|^(codecs\.decode|zlib\.decompress|marshal\.loads)$/;
/** Calls that open or read a file. */
export const READS_FILE =
  /(^|\.)(open|openSync|fopen|readFileSync|readFile|createReadStream|file_get_contents|readTextFile|readTextFileSync|read_text|read_bytes|binread|readlines|slurp|read_file|Path|file|ReadAllText)$|^(File|IO)\.(read|open|new)$/;
export const WRITES_FILE =
  /(^|\.)(writeFileSync|writeFile|appendFileSync|createWriteStream|writeTextFile|writeTextFileSync|file_put_contents|outputFileSync)$|^(File|IO)\.(write|binwrite)$|^Bun\.write$/;

/** Calls that run their argument as code of the language itself. */
export const EVALUATES: Readonly<Record<string, RegExp>> = {
  js: /^(eval|Function|AsyncFunction)$|^(globalThis|window|global)\.(eval|Function)$|^vm\.(runInThisContext|runInNewContext|runInContext|compileFunction|Script)$|^(runInThisContext|runInNewContext)$/,
  python: /^(exec|eval)$|^builtins\.(exec|eval)$|^__builtins__\.(exec|eval)$/,
  ruby: /^(eval|instance_eval|class_eval|module_eval)$|\.(eval|instance_eval|class_eval)$/,
  perl: /^eval$/,
  php: /^(eval|assert|create_function)$/,
  lua: /^(load|loadstring)$/,
  powershell: /^(iex|invoke-expression|\?\.create|\?\.invokescript)$/,
  other: /^(eval|exec|Function)$/,
};

/** Calls that start a program, by their whole chain. A bare name is a function of the language or an imported one. */
const STARTS =
  /^(system|popen\d?|execSync|spawnSync|execFileSync|execFile|spawn|exec|execAsync|execPromise|shell_exec|passthru|proc_open|pcntl_exec|getoutput|getstatusoutput|check_output|check_call|Popen|execa|execaSync|execaCommand|execaCommandSync|capture2e?|capture3|zx|create_subprocess_shell|create_subprocess_exec)$/;
const STARTS_OF =
  /^(os|subprocess|sp|commands|asyncio|pty|child_process|childProcess|cp|cproc|proc|Open3|Kernel|IO|Process|shell|shelljs|sh|Deno|Bun|io|require|import)\.(.+\.)?(system|popen\d?|popen3|execSync|spawnSync|execFileSync|execFile|spawn|exec[lv]?p?e?|spawn[lv]p?e?|posix_spawn|run|call|check_call|check_output|getoutput|getstatusoutput|Popen|capture2e?|capture3|execute|Command|create_subprocess_shell|create_subprocess_exec)$/;
const LUA_STARTS = /^(os\.execute|io\.popen)$/;
/** Functions that belong to a module with this name under any other name. */
const STARTS_ANY = /\.(execSync|spawnSync|execFileSync|execFile|check_output|check_call|Popen|shell_exec|getstatusoutput)$/;

/** Whether a call starts a program. A regular expression, a database or a container has an `exec` too, and that is another one. */
export function startsProgram(chain: string, flavour: string, bare: (name: string) => boolean): boolean {
  if (flavour === 'lua') return LUA_STARTS.test(chain);
  if (STARTS_OF.test(chain) || STARTS_ANY.test(chain)) return true;
  if (!STARTS.test(chain) && !/^(run|call)$/.test(chain)) return false;
  // `exec` of Python is code. `run` and `call` are started programs only if the code imports them by name.
  if (flavour === 'python') return !/^(exec|system|spawn|execa?)$/.test(chain) && (STARTS.test(chain) || bare(chain));
  if (/^(run|call|system)$/.test(chain)) return flavour === 'js' ? bare(chain) : chain === 'system';
  return true;
}

/** Calls that load a file as code. */
export const LOADS =
  /^(require|import|import_module|__import__|require_relative|load|include|include_once|require_once|dofile|do)$|^(importlib\.(import_module|util\.spec_from_file_location)|runpy\.run_path|importlib\.machinery\.SourceFileLoader|SourceFileLoader|spec_from_file_location|execfile|imp\.load_source)$/;

/** Calls that send their arguments to another machine, and the names before the payload in them. */
export const SENDS =
  /^(fetch|\$fetch|urlopen|navigator\.sendBeacon|post_form|curl_setopt|got|axios)$|(^|\.)(urlopen|sendall|sendto|Request|sendmail|storbinary|post_form|curl_setopt)$|^(axios|got|ky|needle|superagent|request|requests|httpx|https?|HTTParty|Faraday|RestClient|Net\.HTTP)\.(post|put|patch|request|post_form)$/;
/** Methods that send if their object is a connection or a client. */
export const SENDS_ON = /^(send|sendall|sendto|write|end|post|put|patch|request|puts|print|emit)$/;

/** Functions whose result is a number, a truth value or a digest of their argument. */
export const REDUCES =
  /^(len|int|float|bool|isinstance|type|hasattr|parseInt|parseFloat|Number|Boolean|strlen|count|size|hash|md5|sha1|sha256|createHash|is_array|empty|isset|Array\.isArray|Object\.keys|JSON\.stringify|json\.dumps|json_encode)$|^hashlib\./;
/** Members that are not the text of a response. */
export const BESIDE =
  /^(ok|status|statusCode|status_code|statusText|statusMessage|length|headers|url|reason|code|getcode|close|destroy|size|count|raise_for_status|is_success|returncode|elapsed|setTimeout|settimeout|setEncoding|getsockname|getpeername|address|port)$/;

export const SHELL_WORD = /^(?:\S*\/)?(?:(?:ba|z|da|k|a)?sh|fish|cmd(?:\.exe)?|powershell|pwsh)$/;
export const INTERPRETER_WORD = /^(?:\S*\/)?(?:(?:ba|z|da|k|a)?sh|fish|python[\d.]*|node|bun|deno|perl|ruby|php|source|\.)$/;
