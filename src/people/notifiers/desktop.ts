/**
 * Notifies the person at this machine by a notification of the desktop, and withdraws it once the ticket is settled. Each text is an argument or
 * a variable of a program, so no shell and no script reads it. Controls are removed, because a notification cannot show them.
 */
import { spawn } from 'node:child_process';
import type { DesktopNotifierConfig, Notice, Notifier, NotifierParts, NotifyFailure } from '../../core/contracts/notifier.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, textOf } from '../../core/values/json.ts';
import { type Call, DESKTOPS, fileOf } from './desktops.ts';
import { runToEnd } from './run-to-end.ts';
import { openShown } from './shown-notices.ts';

type Answer = 'sent' | NotifyFailure;

export function desktopNotifier({ timeoutMs = 10_000 }: DesktopNotifierConfig, { stateFolder }: NotifierParts): Notifier {
  const shown = openShown(stateFolder);
  return {
    type: 'desktop',
    async notify(notice, signal) {
      const problem = desktopProblem(process.env, process.platform);
      const desktop = DESKTOPS[process.platform];
      if (problem !== undefined || !desktop) return { failed: problem ?? 'is not known on this system', retry: false };
      const { id } = notice.ticket;
      if (notice.type === 'ticket.opened') {
        const { answer, out } = await firstThatWorks(desktop.show({ ticket: id, ...textsOf(notice) }), timeoutMs, signal);
        if (answer === 'sent') shown.add(id, out);
        return answer;
      }
      const handle = shown.take(id);
      // No notification was shown, or another machine shows it.
      if (handle === undefined) return 'sent';
      const calls = desktop.withdraw({ ticket: id, handle, ...textsOf(notice) });
      return calls.length === 0 ? 'sent' : (await firstThatWorks(calls, timeoutMs, signal)).answer;
    },
  };
}

/** Returns why no notification can be shown from here; undefined if it can. */
export function desktopProblem(env: Environment, platform: string): string | undefined {
  const desktop = DESKTOPS[platform];
  return desktop ? desktop.problem(env) : `no notifications are known on ${platform}`;
}

/** Older versions of a program lack an option, so a plainer call follows one that fails. */
async function firstThatWorks(calls: readonly Call[], timeoutMs: number, signal: AbortSignal): Promise<{ answer: Answer; out: string }> {
  let last: { answer: Answer; out: string } = { answer: { failed: 'has nothing to run', retry: false }, out: '' };
  for (const call of calls) {
    last = await run(call, timeoutMs, signal);
    if (last.answer === 'sent' || signal.aborted) return last;
  }
  return last;
}

const MOST_OUTPUT = 1000;

async function run({ program, words, env = {} }: Call, timeoutMs: number, signal: AbortSignal): Promise<{ answer: Answer; out: string }> {
  const file = fileOf(program, process.env);
  if (file === undefined) return { answer: { failed: `needs \`${program}\`, which is not installed`, retry: false }, out: '' };
  let out = '';
  let closed: Promise<void> = Promise.resolve();
  const start = () => {
    const child = spawn(file, words, { detached: true, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (out.length < MOST_OUTPUT) out += text;
    });
    closed = new Promise((resolve) => child.stdout.once('close', resolve));
    return child;
  };
  const answer = await runToEnd(start, timeoutMs, signal);
  if (answer === 'sent') await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, OUTPUT_MS).unref())]);
  return { answer, out: out.trim() };
}

/** A process that the program left behind may keep its output open. */
const OUTPUT_MS = 1000;
const LONGEST = 200;
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

function textsOf({ ticket }: Notice): { readonly title: string; readonly body: string } {
  const { tool, kind, input, reason, state, by } = ticket;
  const command = isObject(input) ? textOf(input['command']) : undefined;
  const what = `${tool ?? kind}: ${command ?? (typeof input === 'string' ? input : JSON.stringify(input))}`;
  const title = state === 'open' ? 'An action waits for you' : `The action is ${state}${by === null ? '' : ` by ${by}`}`;
  return { title: plain(title), body: `${plain(what)}\n${plain(reason)}` };
}

function plain(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST)
    .replaceAll(CONTROL, ' ')
    .trim();
  return [...line].length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join('')}…` : line;
}
