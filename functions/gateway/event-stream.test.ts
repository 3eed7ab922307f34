import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../kernel/errors/index.ts';
import { openAiError } from '../kernel/http/index.ts';
import { loadApi } from '../translation/index.ts';
import { awaitFirst, EventStream, KEEPALIVE_MS } from './event-stream.ts';

const { framing: CHAT_FRAMING } = (await loadApi('openai-chat'))();

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function open(source: AsyncGenerator<string[], void>, keepaliveMs = 1_000, onCancel = () => {}, late = false) {
  return new EventStream(source, source.next(), {
    late,
    framing: CHAT_FRAMING,
    errorBody: (error) => openAiError(error, 'req_1'),
    keepaliveMs,
    cutShort: () => undefined,
    onCancel,
  });
}
const read = async (stream: EventStream) => {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
};

describe('an event stream', () => {
  it('sends a comment every 10 s', () => expect(KEEPALIVE_MS).toBe(10_000));

  it('sends each text as one event and ends with [DONE]', async () => {
    async function* source() {
      yield ['{"a":1}', '{"b":2}'];
      yield ['{"c":3}'];
    }
    expect(await read(open(source()))).toBe('data: {"a":1}\n\ndata: {"b":2}\n\ndata: {"c":3}\n\ndata: [DONE]\n\n');
  });

  it('sends no comment when its source yields nothing, as for an event of another format', async () => {
    async function* source() {
      yield [];
      yield ['1'];
      yield [];
    }
    expect(await read(open(source(), 60_000))).toBe('data: 1\n\ndata: [DONE]\n\n');
  });

  it('sends one-line comments while it waits, and loses no event', async () => {
    let read = '';
    const until = async (ending: string) => {
      while (!read.endsWith(ending)) await pause(1);
    };
    async function* source() {
      await until(': keep-alive\n');
      yield ['1'];
      await until('data: 1\n\n: keep-alive\n');
    }
    for await (const piece of open(source(), 20)) read += piece;
    expect(read).toMatch(/^(?:: keep-alive\n)+data: 1\n\n(?:: keep-alive\n)+data: \[DONE\]\n\n$/);
  });

  it('begins with a comment if its client has waited already', async () => {
    async function* source() {
      yield ['1'];
    }
    expect(await read(open(source(), 1_000, () => {}, true))).toBe(': keep-alive\ndata: 1\n\ndata: [DONE]\n\n');
  });

  it('does not store comments for a reader that does not read', async () => {
    async function* source() {
      yield ['1'];
      yield ['2'];
    }
    const stream = open(source(), 4);
    await stream.next();
    await pause(30);
    expect(await read(stream)).toBe('data: 2\n\ndata: [DONE]\n\n');
  });

  it('ends with one error event and without [DONE] when it fails', async () => {
    async function* source() {
      yield ['1'];
      throw new GatewayError('provider_error', 'It failed.', { internal: 'not to be told' });
    }
    const [first, error, ...rest] = (await read(open(source()))).split('\n\n');
    expect([first, rest]).toEqual(['data: 1', ['']]);
    expect(JSON.parse((error as string).slice('data: '.length))).toEqual({
      error: { message: 'It failed.', type: 'provider_error', param: null, code: 'provider_error' },
    });
  });

  it('formats the error as its protocol does in a stream, with the number of sent events', async () => {
    async function* source() {
      yield ['1', '2'];
      yield ['3'];
      throw new GatewayError('provider_error', 'It failed.');
    }
    const running = source();
    const body = new EventStream(running, running.next(), {
      framing: { ...CHAT_FRAMING, error: (told, sent) => ({ sent, ...told }) },
      errorBody: () => ({ told: true }),
      cutShort: () => undefined,
      keepaliveMs: 1_000,
      onCancel: () => {},
    });
    expect(await read(body)).toMatch(/data: \{"sent":3,"told":true\}\n\n$/);
  });

  it('reports only the request id of an unexpected failure', async () => {
    // biome-ignore lint/correctness/useYield: it fails before its first event.
    async function* source(): AsyncGenerator<string[], void> {
      throw new Error('a secret');
    }
    const text = await read(open(source()));
    expect(text).toContain('Request id: req_1.');
    expect(text).not.toContain('a secret');
  });

  it("ends at once when the client leaves, and runs the source's finally once", async () => {
    const events: string[] = [];
    async function* source() {
      try {
        for (;;) {
          yield ['x'];
          await pause(1);
        }
      } finally {
        events.push('finally');
      }
    }
    const stream = open(source(), 1_000, () => events.push('cancel'));
    await stream.next();
    const awaited = stream.next();
    await stream.return();
    expect(await awaited).toEqual({ done: true });
    expect(await stream.next()).toEqual({ done: true });
    await stream.return();
    expect(events).toEqual(['cancel', 'finally']);
  });

  it("runs the source's finally even if it is never read", async () => {
    const events: string[] = [];
    async function* source() {
      try {
        yield ['x'];
      } finally {
        events.push('finally');
      }
    }
    await open(source(), 1_000, () => events.push('cancel')).return();
    expect(events).toEqual(['cancel', 'finally']);
  });

  it('that was read to its end is not cancelled', async () => {
    const events: string[] = [];
    async function* source() {
      yield ['x'];
    }
    const stream = open(source(), 1_000, () => events.push('cancel'));
    await read(stream);
    await stream.return();
    expect(events).toEqual([]);
  });
});

describe('the first event', () => {
  it('is awaited only for the given time, and its failure is thrown', async () => {
    expect(await awaitFirst(Promise.resolve({ done: false, value: 'a' }), 1_000)).toEqual({ done: false, value: 'a' });
    expect(await awaitFirst(new Promise(() => {}), 10)).toBe('waiting');
    await expect(awaitFirst(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
  });
});
