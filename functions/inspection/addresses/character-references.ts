/** `&#47;`, `&#x2F`, `&sol;`: references by which HTML and Markdown can spell the start of an address; `&amp;sol;` in a page within a page. */
const REFERENCE = /&(?:amp;){0,4}(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|(colon|sol|bsol|period|tab|newline)(?=;));?/gi;
/** The start of one at the end of a text. */
const UNFINISHED = /&(?:amp;){0,4}(?:#x?0*[\da-f]{0,7}|[a-z]{0,8})$/i;
const LEADING_ZEROS = /00+/;
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ colon: ':', sol: '/', bsol: '\\', period: '.', tab: '', newline: '' }),
);
/** What an address can start with. */
const IN_ADDRESS = /[a-z\d:/\\.+-]/i;
/** A character that begins and ends nothing: a quote that is written as a reference does not end an attribute. */
const NEUTRAL = '\ufffc';

/** Resolves character references of a text that arrives in pieces, as far as they matter for the start of an address. */
export class CharacterReferences {
  private waiting = '';

  /** The text up to a reference that may be unfinished. */
  push(piece: string): string {
    if (this.waiting === '' && !piece.includes('&')) return piece;
    const text = this.waiting + piece;
    const open = UNFINISHED.exec(text.slice(Math.max(0, text.lastIndexOf('&'))));
    const end = open === null ? text.length : text.length - open[0].length;
    this.waiting = text.slice(end).replace(LEADING_ZEROS, '0');
    return resolved(text.slice(0, end));
  }

  /** The waiting text, where no reference goes on. */
  flush(): string {
    const { waiting } = this;
    this.waiting = '';
    return resolved(waiting);
  }
}

function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_, hexadecimal?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? '';
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    // A browser drops tabs and line breaks from addresses.
    if (code === 9 || code === 10 || code === 13) return '';
    const character = code < 0x80 ? String.fromCharCode(code) : NEUTRAL;
    return IN_ADDRESS.test(character) ? character : NEUTRAL;
  });
}
