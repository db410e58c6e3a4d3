/** Calls in code of other languages: the tables name the functions, and every other call may still return a known value. */

import { resultOf, method as textMethod } from '../foreign/text.ts';
import { REMOTE, UNKNOWN } from '../marks.ts';
import { perform } from './acts.ts';
import { isHome } from './constants.ts';
import { type Arguments, feed, fromKnown, knownOf, runCallback, WRITES, words, write } from './doing.ts';
import type { Evaluator } from './evaluator.ts';
import { actOf, methodAct } from './sinks.ts';
import { asksKind, elementsOf, moduleName } from './statements.ts';
import { asText, chain, list, NOTHING, text, textOf, type Value, wordsOf } from './value.ts';

const SENDS = /^(?:send|public_send|__send__)$/;
/** Methods that return a function by its name. */
const NAMES_METHOD = /^(?:method|public_method|instance_method)$/;
/** Methods of a function that call it, or that return it. */
const OF_FUNCTION = /^(?:call|apply|bind|to_proc|yield|curry)$/;
/** Functions that return the block they get. */
const MAKES_FUNCTION = /^(?:lambda|proc|Proc\.new)$/;

export function callNamed(reader: Evaluator, written: string, args: Arguments, at: number): Value {
  const name = canonical(written);
  const act = actOf(name, reader.cursor.flavour);
  const [first] = args.positional;
  if (act === undefined) return otherCall(reader, name, args, at);
  if (act === 'eval' && name === 'compile') return first ?? NOTHING;
  return perform(reader, act, args, at, name);
}

function canonical(name: string): string {
  return name
    .replace(/^(?:globalThis|window|global|self|Kernel|CORE|std|builtins|\$globals)\.(?=.)/, '')
    .replace(/^(fs)\.promises(?=\.)/, '$1')
    .replace(/\.default(?=\.|$)/, '')
    .replace(/^(child_process|fs)\.\1\./, '$1.');
}

/** A call of a function that no table names: its value may still be a home folder, a reshaped text or a method with one meaning. */
function otherCall(reader: Evaluator, name: string, args: Arguments, at: number): Value {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (isHome(name)) return text('~');
  if (name === 'Buffer.concat') return text(asText(args.positional[0]));
  // `Kernel.send(:system, …)`.
  const sent = SENDS.test(last) ? textOf(args.positional[0]) : undefined;
  if (sent !== undefined) {
    const whole = name === last ? sent : `${name.slice(0, -last.length)}${sent}`;
    return callNamed(reader, whole, { ...args, positional: args.positional.slice(1) }, at);
  }
  const named = NAMES_METHOD.test(last) ? textOf(args.positional[0]) : undefined;
  if (named !== undefined) return chain(`${name.slice(0, name.length - last.length)}${named}`);
  if (OF_FUNCTION.test(last) && name !== last) return functionMethod(reader, chain(name.slice(0, -last.length - 1)), last, args, at);
  if (MAKES_FUNCTION.test(name) && reader.cursor.flavour === 'ruby') return args.positional[0] ?? NOTHING;
  if (last === 'then' && name !== last) return iterate(reader, chain(name.slice(0, -'.then'.length)), last, args, at);
  if (/^(?:sprintf|format|vsprintf)$/.test(last) && textOf(args.positional[0]) !== undefined) return text(inserted(args.positional));
  const [target, given] = args.positional;
  if (target?.kind === 'process' && /^(?:fwrite|fputs|syswrite)$/.test(last)) return feed(reader, target, given, at);
  for (const argument of args.positional) runCallback(reader, argument, []);
  if (name.startsWith('sh.') && reader.cursor.flavour === 'python') return words(reader, [last, ...args.positional.flatMap(wordsOf)], at);
  const act = name.includes('.') && !isPattern(name) ? methodAct(last, false) : undefined;
  if (act !== undefined) return perform(reader, act, args, at, name);
  const known = resultOf(last, args.positional.map(knownOf));
  return known === undefined ? calledChain(name, args) : fromKnown(known);
}

/** A method of a function: `f.call(this, x)` and `f.bind(this, x)` of JavaScript, `f.call(x)` of Ruby. */
function functionMethod(reader: Evaluator, on: Value, name: string, args: Arguments, at: number): Value {
  if (name === 'to_proc' || name === 'curry') return on;
  const given = reader.cursor.flavour === 'js' ? args.positional.slice(1) : args.positional;
  if (name === 'bind') return { kind: 'bound', to: on, args: given };
  return reader.call(on, { ...args, positional: name === 'apply' && given[0]?.kind === 'list' ? given[0].items : given }, at);
}

/** A call that returns an object of a module: `getpass.getpwuid(1)`, `process.binding('x')`. */
function calledChain(name: string, { positional: [first] }: Arguments): Value {
  if (/(?:^|\.)(?:getpwuid|getpwnam|userInfo|posix_getpwuid|posix_getpwnam)$/.test(name))
    return { kind: 'dict', entries: new Map(['pw_dir', 'dir', 'homedir', '5', '7'].map((key) => [key, text('~')])) };
  if (/(?:^|\.)(?:binding|_linkedBinding)$/.test(name) && textOf(first) !== undefined) return chain(`binding:${textOf(first)}`);
  if (/(?:^|\.)require$/.test(name) && textOf(first) !== undefined) return chain(moduleName(textOf(first) ?? ''));
  return /^[A-Z]/.test(name) ? chain(name) : NOTHING;
}

function isPattern(name: string): boolean {
  return name.startsWith('/.') || /(?:^|[._])(?:re|rx|regex|regexp|pattern)\d*\.\w+$/i.test(name);
}

/** Methods that add elements to the end of a list. */
const ADDS = /^(?:append|push|add|extend|concat|push_back|insert|unshift|append!|push!)$/;
/** Methods that write to a started program. */
const FEEDS = /^(?:write|puts|print|printf|say|communicate|end|send|sendline|syswrite|writelines)$/;
/** Methods that call a function with what a response or a connection delivers. */
const DELIVERS = /^(?:on|once|addListener|addEventListener|read_body|each|subscribe|data)$/;

/** A list changes in place, under every name that it has. */
function addTo(reader: Evaluator, on: Value & { readonly kind: 'list' }, name: string, { positional }: Arguments): Value {
  const more = /^(?:extend|concat)$/.test(name) ? positional.flatMap((each) => (each.kind === 'list' ? each.items : [each])) : positional;
  const whole = list(/^(?:unshift|insert)$/.test(name) ? [...more.slice(name === 'insert' ? 1 : 0), ...on.items] : [...on.items, ...more]);
  if (name !== 'concat') for (const [key, value] of reader.names) if (value === on) reader.names.set(key, whole);
  return whole;
}

/** A method of a value. */
export function callOn(reader: Evaluator, target: Value, name: string, args: Arguments, at: number): Value {
  const [first] = args.positional;
  if (target.kind === 'process' && FEEDS.test(name)) return feed(reader, target, first ?? args.named.get('input'), at);
  const on = target.kind === 'process' ? text(UNKNOWN) : target;
  if (on.kind === 'list' && ADDS.test(name)) return addTo(reader, on, name, args);
  if (on.kind === 'list' && name === 'reverse') return list(on.items.toReversed());
  if (on.kind === 'list' && SELECTS.test(name)) return selected(reader, on, args);
  if (on.kind === 'list' && name === 'slice') return list(on.items.slice(Number(asText(first)) || 0));
  if (on.kind === 'file') {
    if (/^(?:write|puts|print|writelines|printf|syswrite)$/.test(name) && WRITES.test(on.mode))
      return write(reader, on.path, asText(first), at, /a|>>/.test(on.mode));
    return /^(?:read|readlines|gets|readline|each_line)$/.test(name) ? text(reader.world.file(on.path) ?? UNKNOWN) : NOTHING;
  }
  if (
    /^(?:then|tap|call|apply|pipe|also|let|run|each|forEach|map|flatMap|collect|each_with_index|each_child|find_each|times|for_each)$/.test(
      name,
    )
  )
    return iterate(reader, on, name, args, at);
  const path = textOf(on);
  if (path?.includes(REMOTE) && DELIVERS.test(name)) {
    for (const argument of args.positional) runCallback(reader, argument, [on]);
    return on;
  }
  const act = methodAct(name, path !== undefined);
  if (act !== undefined && !(act === 'sql' && path !== undefined))
    return perform(reader, act, path === undefined ? args : { ...args, positional: [on, ...args.positional] }, at, name);
  for (const argument of args.positional) runCallback(reader, argument, []);
  if (isHome(name) && args.positional.length === 0) return text('~');
  if (name === 'format' && path !== undefined) return text(fill(path, args));
  if (/^(?:split|words|shellsplit)$/.test(name) && path !== undefined)
    return list((textOf(first) ?? ' ') === ' ' ? path.trim().split(/\s+/).map(text) : path.split(textOf(first) ?? ' ').map(text));
  if (/^(?:replace|gsub|sub|replaceAll)$/.test(name) && path !== undefined && textOf(first))
    return text(path.split(textOf(first) ?? '').join(asText(args.positional[1])));
  if (name === 'get' && on.kind === 'dict') return on.entries.get(asText(first)) ?? NOTHING;
  if (
    /^(?:getPathname|getRealPath|resolve|absolute|expanduser|expand_path|parent|with_name|posix|as_posix|to_path|to_s|toString|relative_to|compact|sort|sort_by|toSorted|shuffle|uniq|to_a|lazy|reverse_each|values|items|entries|iterator|toList|execute_on)$/.test(
      name,
    ) &&
    name !== 'parent'
  )
    return on;
  if (
    path?.includes(REMOTE) &&
    /^(?:text|json|read|body|content|data|arrayBuffer|getvalue|readlines|slurp|concat|toString|decode|join)$/.test(name)
  )
    return on;
  // `join` of Ruby has no separator by itself.
  const between = name === 'join' && first === undefined && reader.cursor.flavour === 'ruby' ? [''] : args.positional.map(knownOf);
  const reshaped = textMethod(name, knownOf(on), between);
  return reshaped === undefined ? NOTHING : fromKnown(reshaped);
}

/** Methods that keep some elements of a list. */
const SELECTS = /^(?:select|filter|reject|grep|grep_v|find_all)$/;

/** Returns the elements that a function keeps. All files of a folder stay all of them if it asks for nothing but their kind. */
function selected(reader: Evaluator, on: Value & { readonly kind: 'list' }, args: Arguments): Value {
  iterate(reader, on, 'each', args, 0);
  const asked = args.positional.find((value) => value.kind === 'code');
  if (asked?.kind === 'code' && asksKind(reader, asked.from, asked.end)) return on;
  return list(on.items.map((item) => (item.kind === 'text' ? text(item.text.replace(/\*$/, UNKNOWN)) : item)));
}

/** Calls the functions in the arguments with each element of a value. */
function iterate(reader: Evaluator, on: Value, name: string, args: Arguments, at: number): Value {
  if (name === 'call' || name === 'apply') return functionMethod(reader, on, name, args, at);
  const results: Value[] = [];
  for (const argument of args.positional) {
    const elements = name === 'then' || name === 'tap' || name === 'let' || name === 'also' || name === 'run' ? [on] : elementsOf(on);
    for (const element of elements) results.push(runCallback(reader, argument, element.kind === 'list' ? element.items : [element], at));
  }
  return results.length === 1 ? (results[0] ?? NOTHING) : list(results);
}

/** Fills in `%s`, `%1$s` and their relatives. */
function inserted([format, ...values]: readonly Value[]): string {
  const given = values.flatMap((value) => (value.kind === 'list' ? value.items : [value]));
  let used = 0;
  return asText(format).replace(/%(%|(?:(\d+)\$)?[-+ 0#]*[\d.]*[a-zA-Z])/g, (_, kind: string, place?: string) =>
    kind === '%' ? '%' : asText(given[place === undefined ? used++ : Number(place) - 1]),
  );
}

/** Fills in `{}`, `{0}` and `{name}`. */
function fill(format: string, { positional, named }: Arguments): string {
  let used = 0;
  return format.replace(/\{(\w*)[^{}]*\}/g, (_, key: string) =>
    asText(/^\d*$/.test(key) ? positional[key === '' ? used++ : Number(key)] : named.get(key)),
  );
}
