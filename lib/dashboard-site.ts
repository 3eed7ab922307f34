/** Where the build puts files whose names change with their content. */
const ASSETS = '/assets/';

/**
 * What the dashboard's page may load and do: its own files, and calls of the API of its own origin. There is no inline script
 * and no inline style; what React sets on elements it sets by script, which this does not forbid.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** On every answer with a file of the dashboard, here and behind the distribution; names in lower case. */
export const DASHBOARD_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  // Addresses of pages name keys, sessions and end users.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const satisfies Readonly<Record<string, string>>;

/** How long a browser may keep a file, by its path: what is named by its content for good, all else only to ask again. */
export function dashboardCacheControl(path: string): string {
  return path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/**
 * The file of the dashboard that a path of its origin means: what lies below `/assets/` or is named at the root with a dot.
 * Everything else is a page's address, in which callers' own names may stand, and means the one page.
 */
export function dashboardFile(path: string): string {
  const isAtRoot = path.lastIndexOf('/') === 0;
  return path.startsWith(ASSETS) || (isAtRoot && path.includes('.')) ? path : '/index.html';
}

/**
 * What CloudFront runs before it asks for a file of the dashboard: every address but a file's means the one page, as
 * lib/dashboard-site.ts says (lib/constructs/page-address.test.ts compares the two). Only addresses of the page come here,
 * none of the API: its 404 stays what it is.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export const PAGE_ADDRESS_CODE = `function handler(event) {
  const request = event.request;
  const path = request.uri;
  const isAtRoot = path.lastIndexOf('/') === 0;
  const isFile = path.startsWith('/assets/') || (isAtRoot && path.includes('.'));
  if (!isFile) request.uri = '/index.html';
  return request;
}
`;
