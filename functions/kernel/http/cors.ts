import * as z from 'zod';
import type { OutgoingResponse } from './responses.ts';
import type { App, IncomingRequest } from './router.ts';

/** How long a browser may cache a preflight response; Chromium's maximum is two hours. */
const REMEMBERED_SECONDS = 7_200;
const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** Comma-separated header names, as a preflight requests them. */
const HEADER_NAMES = /^[\w-]{1,64}(?:, ?[\w-]{1,64}){0,63}$/;

/**
 * Origins whose pages may call from a browser, such as `https://app.example.com`, exactly as a browser writes them. There is no
 * wildcard: a key in a public page is public.
 */
export const corsOriginsSchema = z.array(
  z.string().refine((text) => /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text, {
    error: 'must be an origin as a browser writes it: https://HOST or https://HOST:PORT',
  }),
);

/**
 * Lets pages of these origins call an app (https://fetch.spec.whatwg.org/#http-cors-protocol). Other origins get responses without
 * CORS headers, which browsers hide from them. Cookies are not allowed: callers send a key.
 */
export function withCors(app: App, origins: readonly string[]): App {
  if (origins.length === 0) return app;
  const allowed = new Set(origins);
  return async (request, context) => {
    const origin = request.headers.get('origin');
    const isAllowed = origin !== null && allowed.has(origin);
    if (isAllowed && isPreflight(request)) return preflight(origin, request);
    const response = await app(request, context);
    // A cached response must not serve another origin.
    response.headers.vary = 'Origin';
    if (!isAllowed) return response;
    const shown = Object.keys(response.headers).sort().join(', ');
    Object.assign(response.headers, {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': shown,
    });
    return response;
  };
}

function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && headers.get('access-control-request-method') !== null;
}

function preflight(origin: string, { headers }: IncomingRequest): OutgoingResponse {
  const asked = headers.get('access-control-request-headers') ?? '';
  return {
    status: 204,
    body: '',
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': METHODS,
      ...(HEADER_NAMES.test(asked) && { 'access-control-allow-headers': asked }),
      'access-control-max-age': String(REMEMBERED_SECONDS),
      vary: 'Origin, Access-Control-Request-Headers',
    },
  };
}
