import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Contract, saying } from '../contract.ts';
import { readUntil, type StreamReply } from '../stream-reply.ts';

const TEXT = 'Late, but whole.';

/** Streams that wait longer than any caller would without a sign of life. */
export function keepaliveContract(contract: Contract): { tests: () => void } {
  let raw: Promise<StreamReply>;
  let official: Promise<string>;

  beforeAll(async () => {
    const { promise: commentsUntil, resolve: answer } = Promise.withResolvers<void>();
    contract.upstream.next({ text: TEXT, commentsUntil });
    contract.upstream.next({ text: TEXT, commentsUntil });
    raw = readRaw(contract, answer);
    official = readOfficial(contract);
    // Awaited at the end of the suite; until then a rejection is ignored.
    raw.catch(() => {});
    official.catch(() => {});
    await eventually(() => contract.upstream.requests.length >= 2);
  });

  const tests = () =>
    describe('a stream whose provider responds only after the first keepalive', () => {
      test('has its head and a comment while it waits, and its complete response', async () => {
        const reply = await raw;
        expect(reply).toMatchObject({ status: 200, content: TEXT, finishReason: 'stop', done: true });
        expect(reply.text).toMatch(/^:/);
      });

      test('is read by the official client through its comments', async () => {
        expect(await official).toBe(TEXT);
      });
    });
  return { tests };
}

/** The provider responds only after the first comment, so that a head or comment that waits for it never arrives. */
async function readRaw(contract: Contract, answer: () => void): Promise<StreamReply> {
  const body = JSON.stringify({ ...saying('slow'), stream: true });
  return readUntil(await contract.fetch('/chat/completions', body), /^:.*\n/m, answer);
}

async function readOfficial(contract: Contract): Promise<string> {
  const stream = await contract.client().chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'slow' }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}
