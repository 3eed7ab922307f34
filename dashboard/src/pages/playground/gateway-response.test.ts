import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventData, type Finding, foundTexts, type Svc, withPart } from './gateway-response.ts';

async function read(bytes: Uint8Array, cuts: readonly number[]): Promise<string[]> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const chunks = async function* () {
    for (let at = 1; at < places.length; at += 1) yield bytes.subarray(places[at - 1], places[at]);
  };
  const told: string[] = [];
  for await (const data of eventData(chunks())) told.push(data);
  return told;
}

describe('events of a stream', () => {
  it('are the same in any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text: fc.string({ unit: 'binary' }), comment: fc.boolean(), isCrLf: fc.boolean() })),
        fc.array(fc.nat(5000), { maxLength: 12 }),
        async (events, cuts) => {
          const written = events.map(({ text, comment, isCrLf }) => {
            const end = isCrLf ? '\r\n' : '\n';
            return `${comment ? `: keep-alive${end}` : ''}data: ${JSON.stringify(text)}${end}${end}`;
          });
          const bytes = new TextEncoder().encode(written.join(''));
          expect((await read(bytes, cuts)).map((data) => JSON.parse(data))).toEqual(
            events.map(({ text }) => new TextDecoder().decode(new TextEncoder().encode(text))),
          );
        },
      ),
    );
  });
});

function found(part: 'input' | 'output', field: string, start: number, end: number): Finding {
  return {
    type: 'secret',
    rule: 'secrets/x',
    score: 0.9,
    location: { part, message: null, field, start, end },
  } as Finding;
}

const svcOf = (...detected_threats: Finding[]) => ({ detected_threats }) as unknown as Svc;

describe('texts with findings', () => {
  it('are listed once each, with all ranges', () => {
    const body = { messages: [{ content: 'a secret, another secret' }] };
    const svc = svcOf(found('input', 'messages[0].content', 2, 8), found('input', 'messages[0].content', 18, 24));
    const [only, ...others] = foundTexts(svc, body);
    expect(others).toEqual([]);
    expect(only?.ranges.map(({ start, end }) => only.text.slice(start, end))).toEqual(['secret', 'secret']);
  });

  it("are the response's text for findings in it, and left out if the text is unknown", () => {
    const svc = svcOf(found('output', 'choices[0].content', 0, 2), found('input', 'tools[0].name', 0, 2));
    expect(foundTexts(svc, { tools: [] }, { 'choices[0].content': 'said' })).toMatchObject([
      { field: 'choices[0].content', text: 'said' },
    ]);
  });

  it('are not marked in a redacted response, whose offsets are of the original', () => {
    const email = found('output', 'choices[0].content', 28, 40);
    const secret = { ...found('output', 'choices[0].content', 0, 20), action: 'redact' } as Finding;
    const [only] = foundTexts(svcOf(secret, email), {}, { 'choices[0].content': '[REDACTED_AWS_KEY] and more' });
    expect(only).toMatchObject({ ranges: [], isRedacted: true });
  });

  it('are marked in a request that the gateway redacted: the sent text is shown', () => {
    const secret = { ...found('input', 'messages[0].content', 2, 8), action: 'redact' } as Finding;
    const [only] = foundTexts(svcOf(secret), { messages: [{ content: 'a secret' }] });
    expect(only).toMatchObject({ ranges: [{ start: 2, end: 8 }], isRedacted: false });
  });

  it('are numbered as in the list of findings, unless there is only one', () => {
    const body = { messages: [{ content: 'a secret' }, { content: 'a secret' }] };
    const first = found('input', 'messages[0].content', 2, 8);
    const second = found('input', 'messages[1].content', 2, 8);
    const numbers = (...all: Finding[]) => foundTexts(svcOf(...all), body).map(({ ranges }) => ranges[0]?.number);
    expect(numbers(first, second)).toEqual([1, 2]);
    expect(numbers(first)).toEqual([undefined]);
  });
});

it('joins the pieces of the calls that a model asks for', () => {
  const pieces = [
    { index: 0, function: { name: 'pay', arguments: '' } },
    { index: 0, function: { arguments: '{"to":' } },
    { index: 1, function: { name: 'read', arguments: '{}' } },
    { index: 0, function: { arguments: '"Kim"}' } },
  ];
  expect(pieces.reduce(withPart, [])).toEqual([
    { name: 'pay', arguments: '{"to":"Kim"}' },
    { name: 'read', arguments: '{}' },
  ]);
});
