import type { RequestHeaders } from '../../core/base/request-headers.ts';

/**
 * Whether a request is one of our own pages', as far as its browser says: `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/),
 * or `Origin` where a browser does not know that. What says neither is no browser.
 */
export function isSameOrigin(headers: RequestHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  if (origin === null) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
