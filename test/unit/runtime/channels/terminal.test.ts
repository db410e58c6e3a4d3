/** The terminal channel on streams. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type TerminalOptions, terminalChannel } from '../../../../src/runtime/channels/terminal.ts';
import type { ChannelMessage, Turn } from '../../../../src/runtime/contract.ts';
import { noAgent, turn } from './turns.ts';

function terminal(answer: (message: ChannelMessage) => Promise<Turn>, options: TerminalOptions & { readonly tty?: boolean } = {}) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: options.tty === true });
  const channel = terminalChannel({ ...options, input, output });
  channel.start(answer, noAgent);
  const printed = (): string => String(output.read() ?? '');
  return { input, output, channel, printed };
}

test('each line is a message, and the channel is closed once the input has ended and every turn is done', async () => {
  const seen: ChannelMessage[] = [];
  const { input, channel, printed } = terminal(
    async (message) => {
      seen.push(message);
      await channel.send({ text: `you said ${message.text}`, session: 's' });
      return turn({ sent: true });
    },
    { user: 'ann', session: 'home' },
  );
  input.end('one\n\n  \r\ntwo\r\nthree');
  await channel.closed;
  expect(seen).toEqual(['one', 'two', 'three'].map((text) => ({ text, user: 'ann', session: 'home' })));
  expect(printed()).toBe('you said one\nyou said two\nyou said three\n');
});

test('a turn without an answer says why', async () => {
  const held = { ticket: 't-1', expiresAt: '', session: 's', kind: 'tool.before', reason: 'to production' } as const;
  const turns: Record<string, Turn> = {
    denied: turn({ status: 'denied', reason: 'not today' }),
    parked: turn({ status: 'parked', held: [held] }),
    empty: turn(),
    unsent: turn({ text: 'the answer' }),
    aborted: turn({ status: 'aborted' }),
  };
  const { input, channel, printed } = terminal(async ({ text }) => turns[text] as Turn);
  input.end(Object.keys(turns).join('\n'));
  await channel.closed;
  expect(printed().split('\n')).toEqual([
    '(denied: not today)',
    'Waiting for approval: to production (ticket t-1)',
    '(no answer)',
    'the answer',
    '(aborted)',
    '',
  ]);
});

test('an answer cannot control the terminal', async () => {
  const { input, channel, printed } = terminal(async () => turn({ sent: true }));
  await channel.send({ text: 'a\u001b[2Jb\u009bc\u202ed\te\nf', session: 's' });
  input.end();
  await channel.closed;
  expect(printed()).toBe('a[2Jbcd\te\nf\n');
});

test('a terminal has a prompt when the agent is idle, and a pipe has none', async () => {
  const { input, channel, printed } = terminal(async () => turn({ sent: true }), { tty: true, prompt: '? ' });
  expect(printed()).toBe('? ');
  input.end('x\n');
  await channel.closed;
  expect(printed()).toBe('? ');
});

test('a channel that is stopped reads nothing more, and is closed also if it never started', async () => {
  const { channel } = terminal(async () => turn());
  await channel.stop();
  await channel.closed;
  const other = terminalChannel({ input: new PassThrough(), output: new PassThrough() });
  await other.stop();
  await other.closed;
});

test('a message whose answer cannot be printed does not end the process', async () => {
  const { input, output, channel } = terminal(async () => turn({ status: 'denied', reason: 'no' }));
  output.on('error', () => {});
  output.destroy();
  input.end('x\n');
  await channel.closed;
});
