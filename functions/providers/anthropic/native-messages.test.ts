import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJsonDocument } from '../../core/base/json-document.ts';
import { MESSAGES_PROTOCOL } from '../../core/protocols/anthropic-messages/messages-protocol.ts';
import type { ChatCall } from '../../core/routing/provider.ts';
import { nativeBody, nativeEvents } from './native-messages.ts';

const ODD =
  '{ "max_tokens":5, "model" :"anthropic/claude-x",\t"messages":[ {"role":"user","content":"caf\\u00e9"}],"top_k":1.0, "x":12345678901234567890 }\n';

function callOf(text: string): ChatCall {
  const source = readJsonDocument(text);
  const request = MESSAGES_PROTOCOL.read(MESSAGES_PROTOCOL.check(source));
  return { request, source, protocol: 'anthropic-messages', model: 'claude-x', signal: new AbortController().signal };
}

describe('the body that Anthropic gets', () => {
  it("is the caller's own, byte for byte, but for the model's name and fields of ours", () => {
    const bare = ODD.replace('anthropic/', '');
    expect(nativeBody(callOf(bare))).toBe(bare);
    expect(nativeBody(callOf(ODD))).toBe(bare);
    expect(nativeBody(callOf(ODD.replace('"top_k"', '"svc":{"a":1},"moderation":"score","top_k"')))).toBe(bare);
  });
});

describe('the events of a streamed message', () => {
  const EVENTS = [
    '{"type":"message_start","message":{"id":"msg_1"}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a message_stop \u{1f600} b"}}',
    '{"type":"aside"}',
    '{"type":"message_stop"}',
  ];
  const named = (json: string) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`;
  async function* inPieces(bytes: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
    const places = [0, ...new Set(at.filter((place) => place < bytes.length)), bytes.length].sort((a, b) => a - b);
    for (const [index, to] of places.slice(1).entries()) yield bytes.subarray(places[index], to);
  }
  async function read(text: string, at: readonly number[] = []): Promise<string[]> {
    const out: string[] = [];
    for await (const batch of nativeEvents(inPieces(new TextEncoder().encode(text), at))) out.push(...batch);
    return out;
  }

  it.each([
    ['with their names', EVENTS.map(named).join('')],
    ['without names', EVENTS.map((json) => `data: ${json}\n\n`).join('')],
    ['with comments, and more behind the end', `: hi\n\n${EVENTS.map(named).join('')}event: late\ndata: {}\n\n`],
  ])('come as they are %s, however the bytes come', async (_, text) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 20 }), async (at) => {
        expect(await read(text, at)).toEqual(EVENTS);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['nothing', ''],
    ['no end', named(EVENTS[0] as string)],
    ['half an end', `${named(EVENTS[0] as string)}event: message_stop\ndata: {"type"`],
  ])('that are %s were cut', async (_, text) => {
    await expect(read(text)).rejects.toThrow(expect.objectContaining({ code: 'provider_error' }));
  });
});
