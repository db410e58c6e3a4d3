/**
 * The seam of the SDK's `Server` and `Client`: their handlers of requests. A handler is wrapped when it is set, before or after the guard, so that no
 * order of calls leaves a request without hooks.
 */
import { HooklineError } from '../../core/values/errors.ts';
import { isObject } from '../../core/values/json.ts';

/** A handler of one method. */
export type RequestHandler = (request: { readonly params?: unknown }, context: HandlerContext) => unknown;

/** The context that the SDK hands to a handler, as far as it is used here. */
export interface HandlerContext {
  readonly sessionId?: string;
  readonly mcpReq?: { readonly signal?: AbortSignal };
}

/** A `Server` or `Client` of any version of the SDK. */
export interface Protocol {
  setRequestHandler(method: string, ...rest: unknown[]): unknown;
  assertCanSetRequestHandler(method: string): void;
  fallbackRequestHandler?: unknown;
  _getRequestHandler?(method: string): RequestHandler | undefined;
}

/** Wraps the handlers of these methods: those that are set, and those that will be. Throws if a handler that is set cannot be reached. */
export function wrapHandlers(protocol: Protocol, wraps: Readonly<Record<string, (inner: RequestHandler) => RequestHandler>>): void {
  const set = protocol.setRequestHandler.bind(protocol);
  for (const [method, wrap] of Object.entries(wraps)) {
    const inner = handlerOf(protocol, method);
    if (inner) set(method, wrap(inner.bind(protocol)));
  }
  protocol.setRequestHandler = (method, ...rest) => {
    const wrap = Object.hasOwn(wraps, method) ? wraps[method] : undefined;
    const handler = rest.at(-1);
    if (!wrap || typeof handler !== 'function') return set(method, ...rest);
    const own = handler as (first: unknown, context: HandlerContext) => unknown;
    if (rest.length === 1) return set(method, wrap(own));
    // With schemas of its own, a handler gets the parameters instead of the request.
    const wrapped = wrap(({ params }, context) => own(params, context));
    return set(method, rest[0], (params: unknown, context: HandlerContext) => wrapped({ params }, context));
  };
  wrapFallback(protocol, wraps);
}

function handlerOf(protocol: Protocol, method: string): RequestHandler | undefined {
  try {
    protocol.assertCanSetRequestHandler(method);
    return undefined;
  } catch {
    const inner = protocol._getRequestHandler?.(method);
    if (inner) return inner;
    throw new HooklineError('bad-option', `The handler of \`${method}\` cannot be guarded, because it is set already.`, {
      hint: 'Guard it before its tools and handlers are registered.',
    });
  }
}

/** The handler of all methods that have none: it may run tools too. */
function wrapFallback(protocol: Protocol, wraps: Parameters<typeof wrapHandlers>[1]): void {
  let given = protocol.fallbackRequestHandler as RequestHandler | undefined;
  Object.defineProperty(protocol, 'fallbackRequestHandler', {
    configurable: true,
    enumerable: true,
    set: (handler: RequestHandler | undefined) => {
      given = handler;
    },
    get: (): RequestHandler | undefined => {
      const own = given;
      if (typeof own !== 'function') return own;
      return (request, context) => {
        const method = isObject(request) ? String(request['method']) : '';
        const wrap = Object.hasOwn(wraps, method) ? wraps[method] : undefined;
        return (wrap ? wrap(own) : own)(request, context);
      };
    },
  });
}
