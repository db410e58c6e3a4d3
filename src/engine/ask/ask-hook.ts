/** Asks one hook about one event: checks admission, builds the call, runs the handler, interprets the reply and limits it to the event's grants. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import type { Call, Handler } from '../../core/contracts/handler.ts';
import type { Hook, HookFact } from '../../core/contracts/hook.ts';
import { childNesting } from '../../core/contracts/nesting.ts';
import { type Effect, type Grant, limit, NO_OPINION, severity, type Verdict } from '../../core/decision/decision.ts';
import { describeFault } from '../../core/decision/explain.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { changedFault, type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { fitRewrite, type HookEvent, kindRule } from '../../core/event/event.ts';
import type { Placed } from '../../core/event/match.ts';
import { askable, foreignKeys, ignoredOutput, interpret, policyFor } from '../../core/meaning/interpret.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Environment } from '../../core/values/environment.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import type { HookSet } from '../hook-set.ts';
import type { Admission, Admitted, EngineContext } from '../ports.ts';
import { type AskResult, answered, reportNotAdmitted } from './report.ts';
import { withSessionFacts } from './session-facts.ts';

export interface Question {
  readonly placed: Placed;
  readonly dialect: Dialect;
  /** The event as this hook receives it. */
  readonly view: HookEvent;
  /** The event as it was fired. */
  readonly original: HookEvent;
  readonly signal: AbortSignal | undefined;
  /** The environment of its process, if it differs from that of this process. */
  readonly environment: Environment | undefined;
  /** The clock's tick when it is asked, if the caller has just looked. */
  readonly askedAt?: number;
}

/** Builds the call for a hook's handler, with the event in the format of the hook's dialect. */
export function callFor(context: EngineContext, question: Question, admission?: Pick<Admitted, 'runsIn'>): Call {
  const { settings, ports } = context;
  const { dialect, view, signal, environment } = question;
  const { hook } = question.placed;
  const call: { -readonly [K in keyof Call]: Call[K] } = {
    hook,
    payload: dialect.wire.encodeEvent(hook.run ? view : withSessionFacts(view, question.placed.rule, ports.trails), hook.event),
    event: view,
    ask: dialect.profile.ask,
    cwd: hook.cwd ?? admission?.runsIn ?? folderFor(context, hook, view),
    timeoutMs: hook.timeoutMs,
    limits: settings.limits,
    permits: settings.permits,
    // A function starts no process, so the call must not cost more than the function.
    nesting: hook.run ? settings.nesting : childNesting(settings.nesting, ports.ancestorMark(hook.id)),
    signal,
  };
  // Assigned, not spread, because this runs for every hook that is asked.
  if (hook.facts) call.variables = factsOf(hook.facts, settings.root, view, call.payload);
  if (environment) call.environment = environment;
  return call;
}

/**
 * Returns the folder in which a hook without a folder of its own runs: the working directory of the session, or the project's root if that
 * directory does not exist. The payload keeps the directory that the caller named.
 */
export function folderFor(
  { settings, ports }: Pick<EngineContext, 'settings' | 'ports'>,
  hook: Hook,
  { session: { cwd } }: HookEvent,
): string {
  return hook.run || cwd === settings.root || (ports.isFolder?.(cwd) ?? true) ? cwd : settings.root;
}

function factsOf(
  facts: Readonly<Record<string, HookFact>>,
  root: string,
  view: HookEvent,
  payload: JsonObject,
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [name, fact] of Object.entries(facts)) {
    const value = typeof fact === 'object' ? inEnvironment(payload[fact.payload]) : fact === 'project' ? root : view.session.id;
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/** A value that the system does not take as a variable must not keep the hook from starting. The hook still gets it with its payload. */
function inEnvironment(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  return value.length > LONGEST_VARIABLE ? undefined : value.replaceAll('\0', '');
}

/** In characters. Linux takes 128 KiB for each variable. */
const LONGEST_VARIABLE = 16_384;

/** Asks one hook about one event. Returns a promise only if the admission or the handler is asynchronous. */
export function askHook(context: EngineContext, set: HookSet, question: Question): AskResult | Promise<AskResult> {
  const { hook } = question.placed;
  // The caller registered a function in this process itself, so there is nothing to trust or audit.
  const admission = hook.run ? undefined : admissionOf(context, set, hook, folderFor(context, hook, question.view));
  if (admission === undefined) return put(context, question);
  const follow = (known: Admission): AskResult | Promise<AskResult> =>
    known.admitted ? put(context, question, known) : reportNotAdmitted(context, set, hook, question.view, known);
  return admission instanceof Promise ? admission.then(follow) : follow(admission);
}

/** `cwd`: the folder in which a hook of this session runs, which decides where a relative path leads. */
export function admissionOf(context: EngineContext, set: HookSet, hook: Hook, cwd: string): Admission | Promise<Admission> {
  const known = set.admissions.get(hook);
  if (known) return known.admitted && known.again ? known.again(cwd) : known;
  const remember = (admission: Admission): Admission => {
    // The trust of a hook may change at any moment, so it is not kept.
    if (admission.admitted || admission.cause === 'audit') set.admissions.set(hook, admission);
    return admission;
  };
  const found = context.ports.admit(hook, cwd);
  return found instanceof Promise ? found.then(remember) : remember(found);
}

function put(context: EngineContext, question: Question, admission?: Admitted): AskResult | Promise<AskResult> {
  const { hook } = question.placed;
  const started = question.askedAt ?? context.ports.clock.tick();
  if (question.signal?.aborted) return judge(context, question, fault('cancelled', 'the caller gave up before it was asked'), started);
  if (hook.unusable !== undefined) return judge(context, question, fault('unavailable', hook.unusable), started);
  const handler = context.ports.handlers.get(hook.handler.type);
  if (!handler) {
    return judge(context, question, fault('unavailable', `no handler of type \`${hook.handler.type}\` is registered`), started);
  }
  return judgeAnswer(context, question, handler.handle(callFor(context, question, admission)), started, admission);
}

/** Judges what a handler returned, now or once it is there. */
export function judgeAnswer(
  context: EngineContext,
  question: Question,
  answer: ReturnType<Handler['handle']>,
  started: number,
  admission?: Admitted,
): AskResult | Promise<AskResult> {
  // A function is asked without an admission, and most answer at once: neither a closure nor a further look then.
  if (answer instanceof Promise) return judgeLater(context, question, admission, answer, started);
  return admission ? judgeAdmitted(context, question, admission, answer, started) : judge(context, question, answer, started);
}

/** Apart from `judgeAnswer`, because variables that a closure holds cost something even where no closure is made. */
function judgeLater(
  context: EngineContext,
  question: Question,
  admission: Admitted | undefined,
  answer: Promise<Reply | Fault>,
  started: number,
): Promise<AskResult> {
  return answer.then((given) => judgeAdmitted(context, question, admission, given, started));
}

function judgeAdmitted(
  context: EngineContext,
  question: Question,
  admission: Admitted | undefined,
  given: Reply | Fault,
  started: number,
): AskResult {
  return withFolder(context, question, admission, judge(context, question, voidIfChanged(given, admission), started));
}

/** Adds, once in a session, that a hook ran in another folder than that of the session. */
function withFolder(context: EngineContext, { placed, view }: Question, admission: Admitted | undefined, result: AskResult): AskResult {
  const { hook } = placed;
  const { id, cwd } = view.session;
  if (admission?.runsIn === undefined || !(context.ports.isFirstTime?.(id, `trusted-folder ${cwd} ${hook.id}`) ?? true)) return result;
  const message = `Hook \`${hook.name}\` ran in ${admission.runsIn}, because in ${cwd} it would run other files than the trusted ones.`;
  const hint = 'Give the hook a path to its script that does not depend on the working directory.';
  const said: Diagnostic = { severity: 'warning', code: 'trusted-folder', ...place(hook), message, hint };
  return { ...result, diagnostics: [...(result.diagnostics ?? []), said] };
}

/** Returns the answer of a hook that has ended, or a fault if its files are no longer those that were admitted. */
export function voidIfChanged(answer: Reply | Fault, admission: Pick<Admitted, 'changedSince'> | undefined): Reply | Fault {
  const what = admission?.changedSince?.();
  return what === undefined ? answer : changedFault(what, answer);
}

function judge(context: EngineContext, question: Question, answer: Reply | Fault, started: number): AskResult {
  const { placed, dialect, view } = question;
  const ms = msSince(context, started);
  const meaning = interpret(answer, placed.hook, placed.rule, dialect, view);
  if (meaning === NO_OPINION && isPlainValue(answer) && view === question.original) {
    return { report: answered(placed.hook, 'pass', ms), verdict: NO_OPINION };
  }
  return judgeMeaning(context, question, answer, meaning, ms);
}

/** Returns the milliseconds since a tick of the clock, to the microsecond. */
export function msSince({ ports }: EngineContext, started: number): number {
  return Math.round((ports.clock.tick() - started) * 1000) / 1000;
}

export function judgeMeaning(
  context: EngineContext,
  question: Question,
  answer: Reply | Fault,
  meaning: Verdict | Fault,
  ms: number,
): AskResult {
  const judged = 'decision' in meaning ? judgeVerdict(question, meaning, answer, ms) : judgeFault(context, question, meaning, answer, ms);
  if (answer.kind === 'value' || answer.kind === 'verdict') return judged;
  const warnings = warningsOf(context, question, answer, meaning);
  return warnings.length === 0 ? judged : { ...judged, diagnostics: [...(judged.diagnostics ?? []), ...warnings] };
}

type PlainValue = Reply & { readonly kind: 'value'; readonly judged?: undefined; readonly output?: undefined };

/** Whether this is the most common reply of a function, which needs no further report if it means nothing. */
export function isPlainValue(answer: ReturnType<Handler['handle']>): answer is PlainValue {
  return !(answer instanceof Promise) && answer.kind === 'value' && answer.judged === undefined && answer.output === undefined;
}

/** Returns what the author of a hook should know although the hook ran, once in a session. */
function warningsOf(context: EngineContext, question: Question, answer: Reply | Fault, meaning: Verdict | Fault): Diagnostic[] {
  const { placed, dialect, view } = question;
  const { hook, rule } = placed;
  const warnings: Diagnostic[] = [];
  const { cwd, id } = view.session;
  const isNew = (what: string): boolean => context.ports.isFirstTime?.(id, what) ?? true;
  if (
    hook.cwd === undefined &&
    answer.kind !== 'http' &&
    folderFor(context, hook, view) !== cwd &&
    isNew(`missing-cwd ${cwd} ${hook.id}`)
  ) {
    const message = `The working directory ${cwd} does not exist, so hook \`${hook.name}\` ran in ${context.settings.root}.`;
    warnings.push({ severity: 'warning', code: 'missing-cwd', ...place(hook), message });
  }
  const ignored = meaning === NO_OPINION && answer.kind === 'process' ? ignoredOutput(answer, rule, dialect) : undefined;
  if (ignored !== undefined && isNew(`ignored-output ${hook.id}`)) {
    const message = `The output of hook \`${hook.name}\` is not JSON and has no meaning in its format, so it is ignored: ${ignored}`;
    warnings.push({ severity: 'warning', code: 'ignored-output', ...place(hook), message, hint: 'Print such text to stderr.' });
  }
  const isSilent = 'decision' in meaning && meaning.decision.kind === 'pass' && meaning.effects.length === 0;
  const foreign = isSilent && answer.kind !== 'fault' ? foreignKeys(answer, dialect, context.dialects.values()) : undefined;
  if (foreign && isNew(`foreign-answer ${hook.id}`)) {
    const words = foreign.keys.map((key) => `\`${key}\``).join(', ');
    const message = `Hook \`${hook.name}\` answered with ${words}, which ${foreign.formats.join(' and ')} would understand. It is read as ${dialect.id}, where this has no meaning, so it is ignored.`;
    const hint = `Answer in the format of ${dialect.id}, or have its file read as ${foreign.formats.join(' or ')}.`;
    warnings.push({ severity: 'warning', code: 'foreign-answer', ...place(hook), message, hint });
  }
  return warnings;
}

function judgeVerdict(question: Question, given: Verdict, answer: Reply | Fault, ms: number): AskResult {
  const { hook, rule } = question.placed;
  const { verdict, dropped } = limit(given, question.placed.judged ? rule.grants.filter(tightens) : rule.grants);
  const { decision } = verdict;
  const base = answered(hook, decision.kind, ms);
  const diagnostics: Diagnostic[] = [];
  if (dropped.length > 0) diagnostics.push(notGranted(hook, dropped));
  const fitted = fit(question, verdict, diagnostics);
  diagnostics.push(...cutDiagnostics(hook, answer));
  if (answer.kind === 'verdict' && answer.note !== undefined)
    diagnostics.push({ severity: 'info', code: 'not-understood', ...place(hook), message: answer.note });
  const report: HookReport = {
    ...base,
    ...(decision.kind !== 'pass' && decision.reason !== undefined && { reason: decision.reason }),
    ...(decision.kind === 'hold' && decision.state !== undefined && { state: decision.state }),
    ...(fitted.effects.length > 0 && { effects: fitted.effects.map(({ kind }) => kind) }),
    ...(answer.kind === 'process' && answer.exit !== null && { exit: answer.exit }),
    ...startedBy(answer),
    ...(given.log !== undefined && { log: given.log }),
    ...keptStderr(answer, decision),
    ...keptOutput(answer),
    ...judgedBy(answer),
    ...shownInput(question),
  };
  return { report, verdict: fitted, ...(diagnostics.length > 0 && { diagnostics }) };
}

function judgeFault(context: EngineContext, question: Question, failed: Fault, answer: Reply | Fault, ms: number): AskResult {
  const { placed, dialect } = question;
  const { hook, rule } = placed;
  const strict =
    context.settings.strict ||
    hook.strict === true ||
    hook.unusable !== undefined ||
    context.ports.handlers.get(hook.handler.type)?.strict === true;
  const kept = failed.verdict ?? NO_OPINION;
  const policy = policyFor(failed.countsAs ?? failed.fault, rule, dialect.profile.fail, strict, {
    onError: hook.onError,
    lenient: failed.lenient,
  });
  const given = policy === 'pass' ? kept : stopping(policy, describeFault(hook, failed), kept, rule);
  const asked = judgeVerdict(question, given, answer, ms);
  const { fault: kind, detail } = failed;
  return {
    ...asked,
    report: { ...asked.report, status: 'faulted', fault: { kind, detail }, ...(failed.exit !== undefined && { exit: failed.exit }) },
  };
}

/** Returns the verdict of a fault that does not pass. An `ask` keeps a denial or a question that the hook itself returned. */
function stopping(policy: 'deny' | 'ask', reason: string, kept: Verdict, rule: EventRule): Verdict {
  if (policy === 'deny') return { decision: { kind: 'deny', reason }, effects: [] };
  const asked = askable({ decision: { kind: 'ask', reason }, effects: kept.effects }, rule);
  return severity(kept.decision) > severity(asked.decision) ? kept : asked;
}

/** Drops a rewrite of the wrong type: an event needs text for a prompt and a map for a tool's input. */
function fit({ placed: { hook }, view }: Question, verdict: Verdict, diagnostics: Diagnostic[]): Verdict {
  if (!verdict.effects.some(({ kind }) => kind === 'rewrite')) return verdict;
  const effects = verdict.effects.flatMap((effect): Effect[] => {
    if (effect.kind !== 'rewrite') return [effect];
    const value = fitRewrite(view.kind, effect.value);
    if (value !== undefined) return [{ kind: 'rewrite', value }];
    const wanted = kindRule(view.kind).rewrites?.type === 'object' ? 'a map' : 'text';
    diagnostics.push({
      severity: 'warning',
      code: 'unfit-rewrite',
      ...place(hook),
      message: `Hook \`${hook.name}\` replaced the input with a value that is not ${wanted}. The input stays unchanged.`,
      hint: `On ${hook.event} the new value must be ${wanted}.`,
    });
    return [];
  });
  return { decision: verdict.decision, effects };
}

/** A judge may refuse and explain. It never consents for another hook, and it changes nothing. */
function tightens(grant: Grant): boolean {
  return grant !== 'allow' && grant !== 'rewrite' && grant !== 'replace' && grant !== 'quiet';
}

function judgedBy(answer: Reply | Fault): Pick<HookReport, 'judge'> {
  return 'judged' in answer && answer.judged !== undefined ? { judge: answer.judged } : {};
}

function startedBy(answer: Reply | Fault): Pick<HookReport, 'started'> {
  return 'started' in answer && answer.started !== undefined ? { started: answer.started } : {};
}

/** How much of stderr is kept, in characters. */
const KEPT_STDERR = 2000;

/** Hooks write to stderr what their author wants to know later, also if they have no objection. */
function keptStderr(answer: Reply | Fault, decision: Verdict['decision']): Pick<HookReport, 'stderr'> {
  const text = answer.kind === 'process' ? answer.stderr.trim() : '';
  if (text === '' || (decision.kind !== 'pass' && decision.reason?.includes(text))) return {};
  return { stderr: shortened(text) };
}

/** The output of a process whose answer is a value. */
function keptOutput(answer: Reply | Fault): Pick<HookReport, 'stdout' | 'stderr'> {
  if (answer.kind !== 'value' || answer.output === undefined) return {};
  const [stdout, stderr] = [answer.output.stdout.trim(), answer.output.stderr.trim()];
  return { ...(stdout !== '' && { stdout: shortened(stdout) }), ...(stderr !== '' && { stderr: shortened(stderr) }) };
}

function shortened(text: string): string {
  return text.length > KEPT_STDERR ? `${text.slice(0, KEPT_STDERR)}…` : text;
}

function shownInput({ view, original }: Question): { input?: Json } {
  if (view === original) return {};
  const key = kindRule(view.kind).rewrites?.key;
  const shown = key === undefined ? undefined : view.data[key];
  return shown === undefined || shown === original.data[key as string] ? {} : { input: shown };
}

function notGranted(hook: Hook, dropped: readonly string[]): Diagnostic {
  return {
    severity: 'warning',
    code: 'not-granted',
    ...place(hook),
    message: `Hook \`${hook.name}\` returned ${dropped.map((word) => `\`${word}\``).join(', ')}, which ${hook.event} does not permit. That part is ignored.`,
    hint: `Move the hook to an event that can be changed this way, or make it observe only.`,
  };
}

function cutDiagnostics(hook: Hook, answer: Reply | Fault): Diagnostic[] {
  const reply = answer.kind === 'fault' ? answer.reply : answer;
  const cut =
    reply?.kind === 'process'
      ? (reply.cut ?? [])
      : reply?.kind === 'value'
        ? (reply.output?.cut ?? [])
        : reply?.kind === 'http' && reply.cut
          ? ['body']
          : [];
  return cut.map((stream) => ({
    severity: 'warning',
    code: 'output-cut',
    ...place(hook),
    message: `The ${stream} of hook \`${hook.name}\` was longer than the limit. The rest was not read.`,
    hint: 'Make the hook print only its answer.',
  }));
}

function place(hook: Hook): Pick<Diagnostic, 'file' | 'line' | 'column'> {
  const { file, line, column } = hook.source;
  return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
}
