/** The language of a program, by the command that runs it or by its text. */
export type Flavour = 'js' | 'python' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'powershell' | 'other';

/** Interpreters of languages that have no reading of their own. */
const OTHER_LANGUAGES =
  /^(?:r|rscript|julia|elixir|iex|mix|erl|escript|guile|sbcl|clisp|ecl|emacs|racket|gosh|csi|chez|scheme|ghc|runghc|runhaskell|stack|jshell|groovy|groovysh|scala|scala-cli|kotlin|kotlinc|clojure|clj|bb|swift|nim|ocaml|dart|go|rustc|gcc|cc|clang|tcc|g\+\+|zig|v|java|osascript|tclsh|wish|expect|janet|fennel|hy|nu|octave|matlab|maxima|m4|swipl|gforth)$/;

export function flavourOf(name: string, code: string): Flavour {
  if (/^(node|nodejs|bun|deno|tsx|ts-node|qjs|zx|jiti|esno|vite-node)$/.test(name)) return 'js';
  if (/^(python|pypy|ipython|xonsh)[\d.]*$/.test(name)) return 'python';
  if (/^(mongosh?|coffee|jjs|rhino|d8|js)$/.test(name)) return 'js';
  if (/^(rails|rake|irb|pry|crystal)$/.test(name)) return 'ruby';
  if (/^(artisan|wp|drush|psysh|hhvm)$/.test(name)) return 'php';
  if (/^(raku|perl6)$/.test(name)) return 'perl';
  if (OTHER_LANGUAGES.test(name)) return 'other';
  if (/^[gmn]?awk$/.test(name)) return 'awk';
  if (/^(pwsh|powershell)$/.test(name)) return 'powershell';
  const known = /^(ruby|perl|php|lua)/.exec(name)?.[1];
  if (known === 'ruby' || known === 'perl' || known === 'php' || known === 'lua') return known;
  if (/\bconsole\.|=>|\b(const|let)\s|\bmodule\.exports\b/.test(code)) return 'js';
  return /^\s*(import|from|def)\s/m.test(code) ? 'python' : 'other';
}
