/** Where the dashboard's pages and files are, besides `/`. The page's `base` (dashboard/vite.config.ts, dashboard/src/shell.tsx) is the same. */
export const DASHBOARD_PATH = '/dashboard';
/** Files whose names change with their content, below that path and in the folder of files. */
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

/** `Cache-Control` by the name of a file: assets for a year, other files with revalidation. */
export function dashboardCacheControl(name: string): string {
  return name.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Whether the dashboard is served at a path. All others are the API's. */
export function isDashboardPath(path: string): boolean {
  return path === '/' || path === DASHBOARD_PATH || path.startsWith(`${DASHBOARD_PATH}/`);
}

/**
 * The dashboard file for a path of the dashboard: files below `/dashboard/assets/`, and names with a dot directly below `/dashboard/`.
 * All others are pages of the app, whose addresses may contain names that callers chose.
 */
export function dashboardFile(path: string): string {
  const name = path.slice(DASHBOARD_PATH.length);
  const isAtRoot = name.lastIndexOf('/') === 0;
  return name.startsWith(ASSETS) || (isAtRoot && name.includes('.')) ? name : '/index.html';
}

/**
 * The CloudFront function that does the same as `dashboardFile` (lib/dashboard-site.test.ts compares them). API paths do not
 * reach it.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export const PAGE_ADDRESS_CODE = `function handler(event) {
  const request = event.request;
  const name = request.uri.slice('/dashboard'.length);
  const isAtRoot = name.lastIndexOf('/') === 0;
  const isFile = name.startsWith('/assets/') || (isAtRoot && name.includes('.'));
  request.uri = isFile ? name : '/index.html';
  return request;
}
`;
