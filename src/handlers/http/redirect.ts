/** What follows from a redirect: the next request, or why there is none. Nothing of the hook's own goes to somebody it was not meant for. */
import { type Fault, fault } from '../../core/reply.ts';
import type { OutgoingRequest } from './request.ts';

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

export function redirected(from: OutgoingRequest, status: number, location: string): OutgoingRequest | Fault {
  if (!URL.canParse(location, from.url.href)) return refuse(from, 'to something that is no URL');
  const url = new URL(location, from.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(from, `to a ${url.protocol} URL`);
  if (from.url.protocol === 'https:' && url.protocol === 'http:') return refuse(from, `from https to http (${url.host})`);
  const isSameOrigin = url.origin === from.url.origin;
  if (from.body === undefined) return { ...from, url, headers: isSameOrigin ? from.headers : from.ours };
  // The event was meant for one host, and to be sent there by the method the hook names.
  if (!isSameOrigin) return refuse(from, `to ${url.origin}: the event is not sent to another origin`);
  if (status !== 307 && status !== 308) return refuse(from, `with status ${status}: the event is sent again on 307 and 308 only`);
  return { ...from, url };
}

function refuse({ url }: OutgoingRequest, how: string): Fault {
  return fault('network', `${url.host} redirects ${how}; give the hook the URL it should ask`);
}
