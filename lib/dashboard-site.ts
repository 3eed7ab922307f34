/** Path of files whose names change with their content. */
const ASSETS = '/assets/';

/**
 * Allows the page only files and API calls of its origin, without inline scripts and styles. Styles that React sets by script
 * are not inline styles for a browser.
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

/** Headers of each response with a dashboard file, locally and in the distribution; names in lower case. */
export const DASHBOARD_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  // Page addresses contain ids of keys, sessions and end users.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const satisfies Readonly<Record<string, string>>;

/** `Cache-Control` by path: assets for a year, other files with revalidation. */
export function dashboardCacheControl(path: string): string {
  return path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/**
 * The dashboard file for a path: files below `/assets/`, and names with a dot at the root. All other paths are pages of the app,
 * whose addresses may contain names that callers chose.
 */
export function dashboardFile(path: string): string {
  const isAtRoot = path.lastIndexOf('/') === 0;
  return path.startsWith(ASSETS) || (isAtRoot && path.includes('.')) ? path : '/index.html';
}

/**
 * The CloudFront function that does the same as `dashboardFile` (lib/dashboard-site.test.ts compares them). API paths do not
 * reach it.
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
