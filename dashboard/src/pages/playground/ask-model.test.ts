import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventData } from './ask-model.ts';

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
  it('are the same however the network cut them', async () => {
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
