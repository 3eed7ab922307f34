/** What runs, loads, sends or asks for something in a page. */
const ACTIVE =
  /<(?:script|iframe|frame|object|embed|applet|svg|math|form|input|button|meta|link|base|img|video|audio|a)\b|\bon[a-z]{3,24}\s{0,4}=|javascript:|vbscript:|\b(?:document|window|location)\s{0,2}[.[=]|\b(?:eval|fetch|atob)\(/i;
/** A longer match may be cut before what tells. */
const MOST_UNITS = 8000;

/** Whether a `data:text/html` address holds a page of text and nothing that acts; false where it cannot be read. */
export function isInertPage(address: string): boolean {
  if (address.length > MOST_UNITS) return false;
  const comma = address.indexOf(',');
  const page = readPage(address.slice(comma + 1), address.slice(0, comma).toLowerCase().endsWith(';base64'));
  return page !== undefined && !ACTIVE.test(page);
}

function readPage(data: string, isBase64: boolean): string | undefined {
  try {
    const text = decodeURIComponent(data);
    return isBase64 ? atob(text) : text;
  } catch {
    return undefined;
  }
}
