/** Receives the content of an XML document, in order. Names are without their namespace's prefix. */
export interface XmlHandler {
  /** @param attributes as written; `attributesOf` parses them */
  open(name: string, attributes: string, isEmpty: boolean): void;
  close(name: string): void;
  text(text: string): void;
  /** Whether no more is taken: the rest of the document is not read. */
  readonly isFull: boolean;
}

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' },
};
/** Parts of a document that are no tags, with what ends them. */
const SECTIONS: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Reads a document from start to end, once, whatever it contains: nothing is nested, fetched or expanded here.
 * @returns why a parser may read another text
 */
export function scanXml(xml: string, handler: XmlHandler): string | undefined {
  let unread: string | undefined;
  let at = 0;
  while (at < xml.length && !handler.isFull) {
    const tag = xml.indexOf('<', at);
    const end = tag < 0 ? xml.length : tag;
    if (end > at) handler.text(withCharacters(xml.slice(at, end)));
    if (tag < 0) break;
    const section = SECTIONS.find(([begin]) => xml.startsWith(begin, tag));
    // Office formats allow no document type. What it declares is read as text.
    if (section === undefined && xml[tag + 1] === '!') unread = 'XML with a document type';
    const close = section === undefined ? endOfTag(xml, tag + 1) : xml.indexOf(section[1], tag + section[0].length);
    if (close < 0) {
      handler.text(xml.slice(tag));
      return 'broken XML';
    }
    if (section?.[0] === '<![CDATA[') handler.text(xml.slice(tag + section[0].length, close));
    else if (section === undefined && unread !== undefined && xml[tag + 1] === '!')
      handler.text(`${xml.slice(tag, close)}\n`);
    else if (section === undefined) readTag(xml.slice(tag + 1, close), handler);
    at = close + (section?.[1].length ?? 1);
  }
  return unread;
}

/** The `>` that ends a tag, outside of quotes; -1 if there is none. */
function endOfTag(xml: string, from: number): number {
  const delimiter = /["'>]/g;
  for (let at = from; ; ) {
    delimiter.lastIndex = at;
    const found = delimiter.exec(xml);
    if (found === null || found[0] === '>') return found?.index ?? -1;
    const quote = xml.indexOf(found[0], found.index + 1);
    if (quote < 0) return -1;
    at = quote + 1;
  }
}

function readTag(tag: string, handler: XmlHandler): void {
  if (tag.startsWith('/')) {
    handler.close(localName(tag.slice(1).trim()));
    return;
  }
  const isEmpty = tag.endsWith('/');
  const space = tag.search(/[\s/]/);
  const name = localName(space < 0 ? tag : tag.slice(0, space));
  handler.open(name, space < 0 ? '' : tag.slice(space, isEmpty ? -1 : undefined), isEmpty);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The attributes of a tag, one by one, without namespaces. */
export function* attributesOf(attributes: string): Generator<readonly [name: string, value: string]> {
  let at = 0;
  for (let equals = attributes.indexOf('=', at); equals >= 0; equals = attributes.indexOf('=', at)) {
    let begin = equals + 1;
    while (/\s/.test(attributes[begin] ?? '')) begin += 1;
    const quote = attributes[begin];
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, begin + 1) : -1;
    const name = attributes.slice(at, equals).trim();
    if (end >= 0 && !name.startsWith('xmlns'))
      yield [localName(name), withCharacters(attributes.slice(begin + 1, end))];
    at = end >= 0 ? end + 1 : begin;
  }
}

/** The value of an attribute; undefined without it. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [one, value] of attributesOf(attributes)) if (one === name) return value;
  return undefined;
}

/** The text with the characters that its references name; others remain. */
function withCharacters(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name = '') => {
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (name !== '') return NAMED[name.toLowerCase()] ?? whole;
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
