/** The calls by which programs of other languages run further code, as data. They are searched in code without texts and comments. */
import type { Language } from './literals.ts';

/** The purpose of a call: load a module or a file, run text as code, start a process, or add a folder to the search for modules. */
export type CallKind = 'module' | 'file' | 'code' | 'start' | 'search';

export const CALLS: Readonly<Record<Language, readonly (readonly [CallKind, RegExp])[]>> = {
  python: [
    ['module', /(?<!\w)(?:import_module|__import__|run_module|find_loader)\s*(?=\()/g],
    ['file', /(?<!\w)(?:run_path|execfile|load_source|load_module|spec_from_file_location|SourceFileLoader|CDLL|LoadLibrary)\s*(?=\()/g],
    ['code', /(?<![\w.])(?:exec|eval)\s*(?=\()/g],
    [
      'start',
      /(?<!\w)(?:subprocess\.(?:run|call|Popen|check_call|check_output|getoutput|getstatusoutput)|os\.(?:system|popen|startfile|posix_spawnp?|(?:exec|spawn)[lv]p?e?)|create_subprocess_(?:exec|shell)|pty\.spawn)\s*(?=\()|(?<![\w.])(?:Popen|check_call|check_output|getoutput|execvp?e?)\s*(?=\()/g,
    ],
    ['search', /(?<!\w)(?:sys\.path\.(?:insert|append|extend)|site\.addsitedir)\s*(?=\()/g],
  ],
  js: [
    ['module', /(?<![\w.$])(?:require|import)\s*(?=\()|(?<![\w$])module\.register\s*(?=\()/g],
    ['file', /(?<![\w$])(?:new\s+(?:threads\.|worker_threads\.)?Worker|(?:child_process\.|cp\.)?fork)\s*(?=\()/g],
    [
      'code',
      /(?<![\w.$])(?:eval|Function)\s*(?=\()|(?<![\w$])(?:vm\.)?(?:runIn(?:This|New)?Context|compileFunction)\s*(?=\()|\bnew\s+(?:vm\.)?Script\s*(?=\()/g,
    ],
    [
      'start',
      /(?<![\w.$])(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync|execaCommand)\s*(?=\()|(?<![\w$])(?:child_process|childProcess|cp|Bun|proc)\.(?:exec|execSync|execFile|execFileSync|spawn|spawnSync)\s*(?=\()|\bDeno\.(?:Command|run)\s*(?=\()/g,
    ],
  ],
  ruby: [
    ['file', /(?<![\w.:])(?:require_relative|require|load|autoload)\b(?![:?])/g],
    ['code', /(?<![\w])(?:eval|instance_eval|class_eval|module_eval)\b\s*(?=\(|[\w"'])/g],
    ['start', /(?<![\w.:])(?:system|exec|spawn)\b|\bOpen3\.\w+|\bIO\.popen\b|\bKernel\.(?:system|exec|spawn)\b/g],
    ['search', /\$(?:LOAD_PATH|:)\s*\.?\s*(?:unshift|push|<<)/g],
  ],
  perl: [
    ['file', /(?<![\w$@%>:])(?:require|do)\b(?!\s*[{:;])(?!\s+[A-Z]\w*(?:::\w+)*\s*;)/g],
    ['code', /(?<![\w$@%>])eval\b(?!\s*\{)/g],
    ['start', /(?<![\w$@%>])(?:system|exec)\b/g],
    ['search', /\buse\s+lib\b/g],
  ],
  php: [
    ['file', /(?<![\w$>])(?:include|require)(?:_once)?\b/g],
    ['code', /(?<![\w$>])(?:eval|assert|create_function)\s*(?=\()/g],
    ['start', /(?<![\w$>])(?:exec|system|passthru|shell_exec|proc_open|popen|pcntl_exec)\s*(?=\()/g],
  ],
  lua: [
    ['file', /(?<![\w.])(?:dofile|loadfile|require)\b/g],
    ['code', /(?<![\w.])(?:load|loadstring)\s*(?=\()/g],
    ['start', /\b(?:os\.execute|io\.popen)\b/g],
  ],
  awk: [
    ['file', /@include\b/g],
    ['start', /(?<!\w)system\s*(?=\()/g],
  ],
};
