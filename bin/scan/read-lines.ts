/** The longest text, in UTF-16 code units: it is inspected in memory. */
export const MAX_TEXT_UNITS = 32 * 1024 * 1024;

/** A line without its end; `text` is undefined for one longer than the limit. */
export interface Line {
  readonly number: number;
  readonly text: string | undefined;
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, without the mark. Invalid bytes become U+FFFD. */
export async function* decodeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let start: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (decoder !== undefined) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    // A byte order mark has two or three bytes.
    if (start.length < 2) continue;
    decoder = new TextDecoder(encodingOf(start));
    yield decoder.decode(start, { stream: true });
  }
  yield decoder === undefined ? new TextDecoder().decode(start) : decoder.decode();
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Splits at `\n` and `\r\n` only: other line ends may be inside a JSON string. */
export async function* readLines(pieces: AsyncIterable<string>, maxUnits = MAX_TEXT_UNITS): AsyncGenerator<Line> {
  let number = 1;
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    length += part.length;
    if (length <= maxUnits + 1) parts.push(part);
    else parts = [];
  };
  const line = (): Line => {
    const text = parts.join('').replace(/\r$/, '');
    const isLong = length > maxUnits + 1 || text.length > maxUnits;
    parts = [];
    length = 0;
    return { number: number++, text: isLong ? undefined : text };
  };
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      take(piece.slice(start, end));
      start = end + 1;
      yield line();
    }
    take(piece.slice(start));
  }
  if (length > 0) yield line();
}

/** All of a text; undefined if it is longer than the limit. */
export async function readWhole(pieces: AsyncIterable<string>, maxUnits = MAX_TEXT_UNITS): Promise<string | undefined> {
  const parts: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxUnits) return undefined;
    parts.push(piece);
  }
  return parts.join('');
}
