import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as StandardWebhook } from 'standardwebhooks';

/** What a receiver does with a delivery. */
export const KINDS = ['fast', 'slow', 'flaky', 'dead', 'gone'] as const;
export type ReceiverKind = (typeof KINDS)[number];

const SLOW_MS = 200;

/** One request as a receiver saw it. */
export interface Hit {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly eventId: string;
  /** Its response; undefined if the connection was cut. */
  readonly status: number | undefined;
}

export interface Receiver {
  readonly kind: ReceiverKind;
  readonly url: string;
  /** Set before anything comes. */
  secret: string;
  readonly hits: Hit[];
  /** Events that it took. */
  readonly taken: Set<string>;
  /** What was wrong with a signature, or with the body that it was for. */
  readonly wrong: string[];
  stop(): void;
}

/** A receiver on this machine that checks both signatures of whatever comes. */
export async function startReceiver(kind: ReceiverKind): Promise<Receiver> {
  const server = createServer((request, response) => void handle(receiver, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    kind,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret: '',
    hits: [],
    taken: new Set(),
    wrong: [],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

async function handle(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const headers = request.headers as Record<string, string>;
  const expected = `sha256=${createHmac('sha256', receiver.secret).update(body).digest('hex')}`;
  if (headers['x-svc-signature'] !== expected) receiver.wrong.push('x-svc-signature');
  try {
    new StandardWebhook(receiver.secret).verify(body, headers);
  } catch (error) {
    receiver.wrong.push((error as Error).message);
  }
  const eventId = (JSON.parse(body) as { id: string }).id;
  const deliveryId = headers['x-svc-delivery-id'] ?? '';
  const attempt = Number(headers['x-svc-attempt']);
  const status = await statusOf(receiver.kind, `${deliveryId} ${attempt}`);
  receiver.hits.push({ deliveryId, attempt, eventId, status });
  if (status === undefined) return void request.socket.destroy();
  if (status < 300) receiver.taken.add(eventId);
  response.writeHead(status).end();
}

async function statusOf(kind: ReceiverKind, name: string): Promise<number | undefined> {
  if (kind === 'dead') return undefined;
  if (kind === 'gone') return 410;
  if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  // By the name of the attempt, so that half of them fail and no run differs from another.
  const fails = kind === 'flaky' && (createHash('sha256').update(name).digest()[0] as number) < 128;
  return fails ? 500 : 204;
}
