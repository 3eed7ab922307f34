import { EventStreamCodec } from '@smithy/core/event-streams';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);

type Headers = Parameters<EventStreamCodec['encode']>[0]['headers'];

/** One frame of `application/vnd.amazon.eventstream`, with its lengths and checksums, by AWS's own codec. */
function frame(headers: Readonly<Record<string, string>>, json: unknown): Uint8Array {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }]);
  const body = Buffer.from(JSON.stringify(json));
  return codec.encode({ headers: Object.fromEntries(typed) as Headers, body });
}

/** An event of ConverseStream, such as `messageStop`. */
export function eventFrame(type: string, fields: object): Uint8Array {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' };
  // AWS pads each event so that its size reveals nothing about its content.
  return frame(headers, { ...fields, p: 'abcdefghijk' });
}

/** An exception within a stream, such as `throttlingException`. */
export function exceptionFrame(type: string, message: string): Uint8Array {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' };
  return frame(headers, { message });
}

/** A chunk of InvokeModelWithResponseStream with this JSON. */
export function chunkFrame(json: string): Uint8Array {
  return eventFrame('chunk', { bytes: Buffer.from(json).toString('base64') });
}

export type StreamEvent = readonly [type: string, fields: object];

export function eventFrames(events: readonly StreamEvent[]): Uint8Array[] {
  return events.map(([type, fields]) => eventFrame(type, fields));
}
