/** What a build of the page is made of. */
const TYPES = new Map(
  Object.entries({
    html: 'text/html; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml',
    png: 'image/png',
    ico: 'image/x-icon',
    webp: 'image/webp',
    woff2: 'font/woff2',
    json: 'application/json',
    webmanifest: 'application/manifest+json',
    txt: 'text/plain; charset=utf-8',
  }),
);

/** The type that a file is told as, by its name; one that no browser opens where we know none. */
export function contentTypeOf(name: string): string {
  return TYPES.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';
}
