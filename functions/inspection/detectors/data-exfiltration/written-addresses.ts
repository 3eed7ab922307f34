/** An attribute of a tag with its value. */
const ATTRIBUTE = /([a-z][\w:.-]{0,40})[\t-\r ]*=[\t-\r ]*(?:"([^"]*)|'([^']*)|([^\t-\r >]+))/gi;
/** An argument of a function of CSS, or the string of `@import`. */
const CSS_ADDRESS = /(?:\(|@import|,)[\0- ]*(?:"([^"\n]*)|'([^'\n]*)|([^"'()<>\n,]+))/gi;
const CSS_ESCAPE = /\\([\da-f]{1,6})[\t-\r ]?/gi;
const MARKDOWN_ESCAPE = /\\([!-/:-@[-`{-~])/g;
const DESTINATION =
  /\][(:][\0- >]*(?:<((?:[^<>\n\\]|\\[^\n])*)|((?:[^\0- ()<>\\]|\\[^\0- ]|\((?:[^\0- ()<>]|\([^\0- ()<>]*\))*\))+))/i;
const REFRESH =
  /(?:^[\t-\r ]*[\d.]+[\t-\r ,;]+(?:url[\t-\r ]*=)?|\burl[\t-\r ]*=)[\t-\r ]*(?:"([^"]*)|'([^']*)|(.*))/is;
/** Their values are lists of addresses. */
const LISTS = /(?:srcset|ping|archive)$/i;
const LIST_GAP = /[\t-\r ]+(?:[\d.]+[whx],)?|,(?=[\t-\r ])/i;
/** A tag has few addresses; a list may be longer. */
const MAX_ADDRESSES = 64;

/** The attributes of a tag whose name a pattern matches, with what their values give as addresses. */
export function attributeAddresses(tag: string, names: RegExp): { readonly name: string; readonly written: string }[] {
  const found: { name: string; written: string }[] = [];
  for (const [, name = '', ...quoted] of tag.matchAll(ATTRIBUTE)) {
    if (!names.test(name)) continue;
    const value = quoted.find((one) => one !== undefined) ?? '';
    const values = /^content$/i.test(name) ? refreshAddress(value) : LISTS.test(name) ? value.split(LIST_GAP) : [value];
    found.push(...values.map((written) => ({ name: name.toLowerCase(), written })));
    if (found.length >= MAX_ADDRESSES) break;
  }
  return found;
}

function refreshAddress(content: string): string[] {
  const address = REFRESH.exec(content)
    ?.slice(1)
    .find((one) => one !== undefined);
  return address === undefined ? [] : [address];
}

/** The addresses in a function of CSS or in `@import`, without escapes. */
export function cssAddresses(style: string): string[] {
  return [...style.matchAll(CSS_ADDRESS)].slice(0, MAX_ADDRESSES).flatMap(([, ...quoted]) => {
    const written = quoted.find((one) => one !== undefined) ?? '';
    return [written.replace(CSS_ESCAPE, (_, code) => fromCode(code)), written];
  });
}

function fromCode(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** The destination of a link, an image or a reference of Markdown, with and without escapes. */
export function markdownAddresses(link: string): string[] {
  const written =
    DESTINATION.exec(link)
      ?.slice(1)
      .find((one) => one !== undefined) ?? '';
  return written.includes('\\') ? [written.replace(MARKDOWN_ESCAPE, '$1'), written] : [written];
}
