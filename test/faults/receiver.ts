import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivered } from './ledger.ts';
import type { Random } from './random.ts';

export interface SoakReceiver {
  readonly name: string;
  readonly url: string;
  /** Set before anything comes. */
  secret: string;
  /** While it is away every connection is cut. */
  away: boolean;
  /** What it took. */
  readonly delivered: Delivered[];
  /** Requests that it failed. */
  failed: () => number;
  /** Everything that it was sent. */
  readonly bodies: string[];
  stop(): void;
}

/** A webhook's receiver that fails a share of what comes: with an error, by cutting the connection, or once it has taken it. */
export async function startSoakReceiver(name: string, failing: number, random: Random): Promise<SoakReceiver> {
  let failed = 0;
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: SoakReceiver = {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret: '',
    away: false,
    delivered: [],
    failed: () => failed,
    bodies: [],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const fails = receiver.away || random.chance(failing);
    if (fails) failed += 1;
    if (fails && (receiver.away || random.chance(0.4))) return void request.socket.destroy();
    if (fails) return void response.writeHead(random.pick([500, 429, 503])).end();
    const { id, type, data } = JSON.parse(body);
    const expected = `sha256=${createHmac('sha256', receiver.secret).update(body).digest('hex')}`;
    receiver.bodies.push(body);
    receiver.delivered.push({
      endpoint: name,
      eventId: id,
      deliveryId: String(request.headers['x-svc-delivery-id']),
      type,
      keyId: data.keyId ?? data.id ?? '',
      requestId: data.requestId,
      count: data.count ?? 1,
      signed: request.headers['x-svc-signature'] === expected,
    });
    response.writeHead(204).end();
  }
  return receiver;
}
