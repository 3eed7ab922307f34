import { describe, expect, it } from '@jest/globals';
import { HttpFailure } from '../../../kernel/http/index.ts';
import { readMedia } from './openai-media.ts';

const BYTES = Buffer.from([0, 255, 10, 13]);

async function* pieces(...all: (Uint8Array | Error)[]) {
  for (const one of all) {
    if (one instanceof Error) throw one;
    yield one;
  }
}

async function read(type: string | undefined, body: AsyncIterable<Uint8Array>, maxBytes = 1_000) {
  const headers = type === undefined ? {} : { 'content-type': type };
  const response = await readMedia('p', { status: 200, headers, body }, maxBytes);
  if (response.kind !== 'media') throw new Error(response.kind);
  return response;
}

async function bytesOf(body: AsyncIterable<Uint8Array>) {
  const all: Uint8Array[] = [];
  for await (const piece of body) all.push(piece);
  return all;
}

describe('a response of bytes', () => {
  it.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['Audio/WAV', 'audio/wav'],
    ['audio/L16; rate=24000; x="<script>"', 'audio/l16'],
    ['application/octet-stream', 'application/octet-stream'],
  ])('of the type %s keeps the type alone, and every byte', async (type, kept) => {
    const { mediaType, bytes } = await read(type, pieces(BYTES, Buffer.alloc(0), BYTES));
    expect([mediaType, await bytesOf(bytes)]).toEqual([kept, [BYTES, BYTES]]);
  });

  it.each([
    undefined,
    '',
    'text/html',
    'application/json',
    'text/event-stream',
    'audio/mpeg2',
    'image/svg+xml',
    'audio/mpeg,text/html',
  ])('of the type %s is refused', async (type) => {
    await expect(read(type, pieces(BYTES))).rejects.toMatchObject({ code: 'provider_error', fallback: undefined });
  });

  it('is refused if it is compressed', async () => {
    const headers = { 'content-type': 'audio/mpeg', 'content-encoding': 'gzip' };
    await expect(readMedia('p', { status: 200, headers, body: pieces(BYTES) }, 1_000)).rejects.toMatchObject({
      code: 'provider_error',
    });
  });

  it('ends with an error if it is larger than the limit, empty, or broken off', async () => {
    const { bytes } = await read('audio/mpeg', pieces(BYTES, BYTES), 7);
    await expect(bytesOf(bytes)).rejects.toMatchObject({ code: 'provider_error' });
    const exact = await read('audio/mpeg', pieces(BYTES, BYTES), 8);
    expect(await bytesOf(exact.bytes)).toHaveLength(2);
    const empty = await read('audio/mpeg', pieces(Buffer.alloc(0)));
    await expect(bytesOf(empty.bytes)).rejects.toMatchObject({ internal: 'p: no audio' });
    const broken = await read('audio/mpeg', pieces(BYTES, new HttpFailure('reset', true)));
    // The provider bills what it sent: the call is not repeated.
    await expect(bytesOf(broken.bytes)).rejects.toMatchObject({ code: 'provider_error', fallback: undefined });
  });
});
