import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Contract, saying } from './contract.ts';
import { type StreamReply, toStreamReply } from './stream-reply.ts';

const TEXT = 'Late, but whole.';
const WRITES = 24;
const GAP_MS = 510;

/** A provider that trickles comments for 11 s, never silent for long, and then answers at once. */
function slowStream(): string {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-late', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', ...fields })}\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const events = [
    chunk(choice({ role: 'assistant', content: '' })),
    chunk(choice({ content: TEXT })),
    chunk(choice({}, 'stop')),
    chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
    'data: [DONE]\n\n',
  ].join('');
  return `: ${'.'.repeat((events.length + 10) * (WRITES - 1))}\n\n${events}`;
}

/** Streams that wait longer than any caller would without a sign of life. */
export function keepaliveContract(contract: Contract): { tests: () => void } {
  let raw: Promise<{ reply: StreamReply; headMs: number }>;
  let official: Promise<string>;

  beforeAll(async () => {
    const text = slowStream();
    const slow = { raw: text, bytesPerWrite: Math.ceil(text.length / WRITES), delayMs: GAP_MS };
    contract.upstream.next(slow);
    contract.upstream.next(slow);
    raw = readRaw(contract);
    official = readOfficial(contract);
    // Read at the end of the suite; until then a failure is nobody's.
    raw.catch(() => {});
    official.catch(() => {});
    while (contract.upstream.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  const tests = () =>
    describe('a stream whose provider takes longer than ten seconds', () => {
      test('has its head after ten seconds, comments while it waits, and its whole answer', async () => {
        const { reply, headMs } = await raw;
        expect(headMs).toBeGreaterThan(9_000);
        expect(headMs).toBeLessThan(11_000);
        expect(reply).toMatchObject({ status: 200, content: TEXT, finishReason: 'stop', done: true });
        expect(reply.comments.length).toBeGreaterThan(0);
      });

      test('is read by the official client through its comments', async () => {
        expect(await official).toBe(TEXT);
      });
    });
  return { tests };
}

async function readRaw(contract: Contract) {
  const startedAt = performance.now();
  const body = JSON.stringify({ ...saying('slow'), stream: true });
  const response = await contract.fetch('/chat/completions', body);
  const headMs = performance.now() - startedAt;
  return { reply: await toStreamReply(response), headMs };
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
