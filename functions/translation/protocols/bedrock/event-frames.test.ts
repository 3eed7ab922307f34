import { describe, expect, it } from '@jest/globals';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { eventFrame, exceptionFrame } from './event-frames.ts';

/** AWS's own codec, which checks lengths and checksums. */
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);
const string = (value: string) => ({ type: 'string', value });

describe('A frame', () => {
  it.each([['{}'], ['{"text":"Grüße, 世界 🌍"}'], [JSON.stringify({ text: 'a'.repeat(300_000) })]])(
    'of an event is read by the codec of AWS',
    (json) => {
      const { headers, body } = codec.decode(eventFrame('contentBlockDelta', json));
      expect(headers).toEqual({
        ':event-type': string('contentBlockDelta'),
        ':content-type': string('application/json'),
        ':message-type': string('event'),
      });
      expect(Buffer.from(body).toString()).toBe(json);
    },
  );

  it('of an exception has its type', () => {
    const { headers } = codec.decode(exceptionFrame('throttlingException', '{"message":"Slow down."}'));
    expect(headers).toMatchObject({
      ':exception-type': string('throttlingException'),
      ':message-type': string('exception'),
    });
  });
});
