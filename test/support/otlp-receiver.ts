import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/**
 * OTLP/HTTP's JSON as the protocol's definitions have it, and nothing else: fields in camel case, ids in hexadecimal, 64-bit
 * numbers as texts, enumerations as numbers (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, trace.proto, common.proto).
 */
const nanos = z.string().regex(/^\d{19}$/);
const traceId = z.string().regex(/^(?!0{32})[0-9a-f]{32}$/);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);
const attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([
        z.strictObject({ stringValue: z.string() }),
        z.strictObject({ intValue: z.string().regex(/^-?\d{1,19}$/) }),
        z.strictObject({ doubleValue: z.number() }),
        z.strictObject({ boolValue: z.boolean() }),
      ]),
    }),
  )
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'a key stands twice');
const span = z
  .strictObject({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    traceState: z.string().max(512).optional(),
    flags: z.int().min(0).max(0x3ff),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    links: z.array(z.strictObject({ traceId, spanId })).optional(),
    status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }).optional(),
  })
  .refine((one) => BigInt(one.endTimeUnixNano) >= BigInt(one.startTimeUnixNano), 'ends before it begins');
const exportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span).min(1) })),
    }),
  ),
});

/** A span with its attributes by name. */
export interface ReceivedSpan extends Omit<z.infer<typeof span>, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface OtlpReceiver {
  /** Base address: exporters add `/v1/traces`. */
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Of the requests that came. */
  readonly headers: IncomingHttpHeaders[];
  /** Why it refused what came. */
  readonly faults: string[];
  /** Everything that came, as it came. */
  readonly bodies: string[];
  /** The status returned from now on instead of 200; `silent` for no response. */
  answer: number | 'silent';
  stop(): Promise<void>;
}

/** A receiver of spans that takes nothing but what the protocol says. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    receiver.bodies.push(body);
    receiver.headers.push(request.headers);
    if (receiver.answer === 'silent') return;
    const known = request.method === 'POST' && request.url === '/v1/traces';
    const json = request.headers['content-type'] === 'application/json';
    const fault = known && json ? take(body) : `${request.method} ${request.url} ${request.headers['content-type']}`;
    if (fault !== undefined) receiver.faults.push(fault);
    response.writeHead(fault === undefined ? receiver.answer : 400, { 'content-type': 'application/json' }).end('{}');
  });
  const take = (body: string): string | undefined => {
    const read = exportRequest.safeParse(JSON.parse(body));
    if (!read.success) return z.prettifyError(read.error);
    if (receiver.answer === 200) receiver.spans.push(...spansOf(read.data));
    return undefined;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    faults: [],
    bodies: [],
    answer: 200,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

function spansOf({ resourceSpans }: z.infer<typeof exportRequest>): ReceivedSpan[] {
  const all = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return all.map(({ attributes: list, ...one }) => ({
    ...one,
    attributes: Object.fromEntries(list.map(({ key, value }) => [key, plain(value)])),
  }));
}

function plain(value: z.infer<typeof attributes>[number]['value']): string | number | boolean {
  if ('intValue' in value) return Number(value.intValue);
  return Object.values(value)[0] as string | number | boolean;
}
