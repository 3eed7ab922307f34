/** Pages that an address may be on: `https:host` leads to another host from the second only. */
const PAGES = ['https://page.invalid/', 'http://page.invalid/'];
const PAGE_HOST = 'page.invalid';
/** Schemes of addresses that run a program or contain a page, which can load anything. */
export const SCRIPT_SCHEME = /^(?:javascript|vbscript|data)$/i;
/** At the end of a text. Only two slashes after it lead to another host. */
export const FILE_SCHEME = /\bfile:$/i;

/** The address that a browser loads for `written`, by the URL standard; undefined if it stays on the page's host or names none. */
export function otherHost(written: string): URL | undefined {
  for (const page of PAGES) {
    if (!URL.canParse(written, page)) continue;
    const url = new URL(written, page);
    if (url.host !== '' && url.host !== PAGE_HOST) return url;
  }
  return undefined;
}

/** Whether an escape of CSS spells a character that the start of an address consists of, which needs none, or nothing. */
export function isDisguised(spelling: string): boolean {
  if (/^\\[g-z\r\n]/i.test(spelling)) return true;
  const code = Number.parseInt(spelling.slice(1), 16);
  return code < 0x80 && /[a-z:/\\]/i.test(String.fromCharCode(code));
}
