/** A page that listens to the stream of the dashboard, by a socket that can stop reading. */
import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { until } from '../../support/patience.ts';
import type { Dashboard } from './dashboard.ts';

export interface Heard {
  readonly event: string;
  readonly id: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: it is foreign JSON.
  readonly data: any;
}

export interface Listener {
  readonly status: number;
  heard(event?: string): readonly Heard[];
  /** The last id, from which the page resumes. */
  last(): number | undefined;
  /** Resolves once such an event was heard. */
  hears(event: string, fits?: (data: Heard['data']) => boolean): Promise<Heard>;
  readonly isOver: () => boolean;
  pause(): void;
  resume(): void;
  leave(): void;
}

/** To be called within a test. */
export async function listen({ origin, token }: Pick<Dashboard, 'origin' | 'token'>, query = '', lastEventId?: number): Promise<Listener> {
  const headers = { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }) };
  const heard: Heard[] = [];
  let over = false;
  let rest = '';
  const asked = request(`${origin}/v1/stream${query}`, { headers, agent: false });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject).end();
  });
  asked.on('error', () => {});
  const end = (): void => {
    over = true;
  };
  answer.on('close', end).on('error', end);
  answer.setEncoding('utf8').on('data', (part: string) => {
    const blocks = `${rest}${part}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) if (!block.startsWith(':')) heard.push(read(block));
  });
  onTestFinished(() => void asked.destroy());
  const find = (event: string, fits: (data: Heard['data']) => boolean): Heard | undefined =>
    heard.find((one) => one.event === event && fits(one.data));
  return {
    status: answer.statusCode ?? 0,
    heard: (event) => heard.filter((one) => event === undefined || one.event === event),
    last: () => heard.findLast(({ id }) => id !== null)?.id ?? undefined,
    async hears(event, fits = () => true) {
      await until(() => find(event, fits) !== undefined);
      return find(event, fits) as Heard;
    },
    isOver: () => over,
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    leave: () => void asked.destroy(),
  };
}

function read(block: string): Heard {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const id = field('id');
  return { event: field('event') ?? '', id: id === undefined ? null : Number(id), data: JSON.parse(field('data') ?? 'null') };
}
