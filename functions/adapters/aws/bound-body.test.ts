import { describe, expect, it } from '@jest/globals';
import { eventFrame } from '../../../test/support/bedrock-frames.ts';
import { boundFrames, boundWhole } from './bound-body.ts';

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const received: Uint8Array[] = [];
  for await (const piece of body) received.push(piece);
  return Buffer.concat(received);
}

const TOO_LARGE = { exception: 'AnswerTooLarge' };
/** Few bytes that take the SDK long to parse. */
const LISTS = `[${'[],'.repeat(50_000)}[]]`;

describe('an event stream', () => {
  const frames = Buffer.concat([
    eventFrame('messageStart', { role: 'assistant' }),
    eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
  ]);

  it('passes unchanged however it is split, and also where it is cut', async () => {
    for (const size of [1, 3, 8, 50, frames.length]) {
      const split = Array.from({ length: Math.ceil(frames.length / size) }, (_, at) =>
        frames.subarray(at * size, (at + 1) * size),
      );
      expect(await drain(boundFrames(pieces(...split), 200))).toEqual(frames);
      expect(await drain(boundFrames(pieces(...split.slice(0, -1)), 200))).toEqual(
        frames.subarray(0, (split.length - 1) * size),
      );
    }
  });

  it('ends before a frame that announces too many bytes, and before one that takes long to parse', async () => {
    const announced = Buffer.alloc(8);
    announced.writeUInt32BE(0xfffffff0);
    const received: Uint8Array[] = [];
    const read = async () => {
      for await (const piece of boundFrames(pieces(frames, announced), 200)) received.push(piece);
    };
    await expect(read()).rejects.toMatchObject(TOO_LARGE);
    expect(Buffer.concat(received)).toEqual(frames);
    const hostile = eventFrame('contentBlockDelta', { x: JSON.parse(LISTS) });
    await expect(drain(boundFrames(pieces(hostile), 200))).rejects.toMatchObject(TOO_LARGE);
  });
});

describe('a whole response', () => {
  it('passes unchanged, JSON or not', async () => {
    for (const text of ['{"a": 1}', 'no JSON']) {
      const body = pieces(Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3)));
      expect(String(await drain(boundWhole(body, { isChat: true, status: 200 })))).toBe(text);
    }
  });

  it('of a chat may not take long to parse; no response may be too long', async () => {
    const whole = (text: string, isChat: boolean) =>
      drain(boundWhole(pieces(Buffer.from(text)), { isChat, status: 200 }));
    await expect(whole(LISTS, true)).rejects.toMatchObject(TOO_LARGE);
    expect(String(await whole(LISTS, false))).toBe(LISTS);
    await expect(whole(' '.repeat(8 * 1024 * 1024 + 1), false)).rejects.toMatchObject(TOO_LARGE);
  });
});
