import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_PICTURE_EVENT_CHARS,
  readServerSentEvents,
  type ServerSentEvent,
  SseDecoder,
  SseOverflow,
} from './sse-decoder.ts';

const ENCODER = new TextEncoder();

function decode(bytes: Uint8Array, cuts: readonly number[] = []): ServerSentEvent[] {
  const decoder = new SseDecoder();
  const offsets = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  return offsets.slice(1).flatMap((end, at) => decoder.push(bytes.subarray(offsets[at], end)));
}

const decodeText = (text: string) => decode(ENCODER.encode(text));
const message = (data: string) => ({ event: 'message', data });

describe('a stream of events', () => {
  const PARTS = [
    'data',
    ':',
    ' ',
    'data: {"a":1}',
    'event: ping',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\r\r',
    ': comment',
    'id: 1',
    'é',
    '😀',
    '\ufeff',
    'x',
    'retry: 1',
    '\u2028',
  ];
  it('gives the same events for any split of its bytes', () => {
    const streams = fc
      .array(fc.constantFrom(...PARTS), { maxLength: 30 })
      .map((parts) => ENCODER.encode(parts.join('')));
    fc.assert(
      fc.property(streams, fc.array(fc.nat(150), { maxLength: 8 }), (bytes, cuts) => {
        // A lone CR at the end is not yet known to end a line: whole input ends with one more line start in both.
        const whole = decode(bytes);
        expect(decode(bytes, cuts)).toEqual(whole);
        expect(
          decode(
            bytes,
            Array.from(bytes, (_, at) => at),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out one byte order mark at its beginning, also where it comes in parts', () => {
    const bytes = ENCODER.encode('\ufeff\ufeffdata: a\n\n\ufeffdata: b\ndata: c\n\n');
    for (let cut = 0; cut < 8; cut += 1) expect(decode(bytes, [cut])).toEqual([message('c')]);
    expect(decodeText('\ufeffdata: a\n\n')).toEqual([message('a')]);
  });

  it('gives back every data text that was written, whichever line end was used', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 }).map((all) => all.replace(/\r/g, '').toWellFormed());
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 5 }), (events) => {
        const stream = events
          .map(
            ([data, end]) =>
              `${data
                .split('\n')
                .map((line) => `data: ${line}${end}`)
                .join('')}${end}`,
          )
          .join('');
        expect(decodeText(`${stream}:end\n`)).toEqual(events.map(([data]) => message(data)));
      }),
    );
  });

  it.each([
    ['LF', 'data: a\n\ndata: b\n\n', [message('a'), message('b')]],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [message('a'), message('b')]],
    ['CR', 'data: a\r\rdata: b\r\r:\n', [message('a'), message('b')]],
    ['all mixed', 'data: a\r\n\ndata: b\n\r\n', [message('a'), message('b')]],
    ['no space after the colon', 'data:a\n\n', [message('a')]],
    ['only the first space is taken', 'data:  a\n\n', [message(' a')]],
    ['several data lines are joined', 'data: a\ndata: b\n\n', [message('a\nb')]],
    ['an empty data line', 'data\n\n', [message('')]],
    ['a name', 'event: ping\ndata: a\n\ndata: b\n\n', [{ event: 'ping', data: 'a' }, message('b')]],
    ['a name without data gives nothing, and is forgotten', 'event: ping\n\ndata: a\n\n', [message('a')]],
    [
      'comments, ids and fields unknown to us are dropped',
      ': hi\nid: 7\nretry: 1\nfoo: bar\nData: no\ndata: a\n\n',
      [message('a')],
    ],
    ['keepalive comments within an event', 'data: a\n: keep-alive\ndata: b\n\n', [message('a\nb')]],
    ['a byte order mark at the start', '\ufeffdata: a\n\n', [message('a')]],
    ['an unfinished event is not given', 'data: a\n\ndata: b\n', [message('a')]],
    ['an unfinished line neither', 'data: a\n\ndata: b', [message('a')]],
    ['line separators of Unicode end no line', 'data: a\u2028b\u0085c\n\n', [message('a\u2028b\u0085c')]],
  ])('reads %s', (_, text, expected) => expect(decodeText(text)).toEqual(expected));

  it('keeps a character whose bytes come in two pieces', () => {
    const bytes = ENCODER.encode('data: 😀\n\n');
    for (let at = 0; at < bytes.length; at += 1) expect(decode(bytes, [at])).toEqual([message('😀')]);
  });

  it('gives an event as soon as it is whole', () => {
    const decoder = new SseDecoder();
    expect(decoder.push(ENCODER.encode('data: a\n'))).toEqual([]);
    expect(decoder.push(ENCODER.encode('\ndata: b'))).toEqual([message('a')]);
  });

  it.each([
    ['one line', ['data: ', 'x']],
    ['many lines', ['', 'data: xxxxxxxxxxxxxxxx\n']],
  ])('that never ends an event is refused rather than kept: %s', (_, [start, unit]) => {
    const decoder = new SseDecoder();
    decoder.push(ENCODER.encode(start as string));
    const chunk = ENCODER.encode((unit as string).repeat(Math.ceil((1024 * 1024) / (unit as string).length)));
    expect(() => {
      for (let i = 0; i < 32; i += 1) decoder.push(chunk);
    }).toThrow(SseOverflow);
  });

  it('has events of at most 8 MB, and 64 MB with a picture', () => {
    const eventOf = (chars: number) => ENCODER.encode(`data: ${'x'.repeat(chars)}`);
    expect(new SseDecoder().push(eventOf(8_388_608 - 100))).toEqual([]);
    expect(() => new SseDecoder().push(eventOf(8_388_608 + 100))).toThrow(SseOverflow);
    expect(MAX_PICTURE_EVENT_CHARS).toBe(67_108_864);
  });

  it('may be long as long as its events end', () => {
    const chunk = ENCODER.encode(`data: ${'x'.repeat(1024 * 1024)}\n\n`);
    const decoder = new SseDecoder();
    for (let i = 0; i < 12; i += 1) expect(decoder.push(chunk)).toHaveLength(1);
  });

  it.each([
    ['without a blank line', 'data: a\n\ndata: {"b":"é"}\n', '{"b":"é"}'],
    ['without a line break', 'data: a\n\ndata: {"b":1}', '{"b":1}'],
    ['with CR only', 'data: a\r\rdata: b\r\r', 'b'],
    ['with CR, without a line break', 'data: a\r\rdata: {"b":1}', '{"b":1}'],
    ['after the mark', 'data: a\n\ndata: [DONE]', '[DONE]'],
  ])('gives the last event of a body that ends %s', async (_, text, last) => {
    async function* body() {
      yield ENCODER.encode(text);
    }
    const events: ServerSentEvent[] = [];
    for await (const batch of readServerSentEvents(body())) events.push(...batch);
    expect(events).toEqual([message('a'), message(last)]);
  });

  it('has no event at its end without whole data', async () => {
    const cut = ['data: {"b":"é', 'data: {"b":1', 'data: {"b":1\n', 'data: [DON', 'data: [{"a":1}\ndata: ', 'data:'];
    for (const text of [...cut, '', '\n', ': comment', 'event: ping', 'id: 1\n', 'data: a\n\n']) {
      async function* body() {
        yield ENCODER.encode(text);
      }
      const events: ServerSentEvent[] = [];
      for await (const batch of readServerSentEvents(body())) events.push(...batch);
      expect(events).toEqual(text === 'data: a\n\n' ? [message('a')] : []);
    }
  });

  it('lets other work run while it decodes a long event', async () => {
    async function* body() {
      yield ENCODER.encode(`${'data: 1\n'.repeat(50_000)}\n`);
    }
    let turns = 0;
    let other = setImmediate(function run() {
      turns += 1;
      other = setImmediate(run);
    });
    const events: ServerSentEvent[] = [];
    for await (const batch of readServerSentEvents(body())) events.push(...batch);
    clearImmediate(other);
    expect(events).toEqual([message('1\n'.repeat(50_000).slice(0, -1))]);
    expect(turns).toBeGreaterThan(3);
  });

  it('is read from a body, each event when it is there, those that come at once together', async () => {
    async function* body() {
      yield ENCODER.encode('data: a\n\nda');
      yield ENCODER.encode('ta: b\n\nda');
      yield ENCODER.encode('ta: ');
      yield ENCODER.encode('c\n\ndata: d\n\n');
    }
    const batches: ServerSentEvent[][] = [];
    for await (const events of readServerSentEvents(body())) batches.push(events);
    expect(batches).toEqual([[message('a')], [message('b')], [message('c'), message('d')]]);
  });
});
