import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CapturingProxy {
  /** In the place of the queues' own address. */
  readonly url: string;
  /** The bodies of messages that the queues have taken, in order. */
  readonly taken: readonly string[];
  stop(): void;
}

/** Stands before an SQS and keeps what was sent to it, whoever receives it. */
export async function startCapturingProxy(sqsUrl: string): Promise<CapturingProxy> {
  const taken: string[] = [];
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming);
    const call = request(new URL(incoming.url ?? '/', sqsUrl), {
      method: incoming.method ?? 'POST',
      headers: incoming.headers,
    });
    call.end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const answered = await buffer(answer);
    if (String(incoming.headers['x-amz-target']).endsWith('.SendMessageBatch') && answer.statusCode === 200) {
      const { Entries } = JSON.parse(body.toString()) as { Entries: { MessageBody: string }[] };
      taken.push(...Entries.map(({ MessageBody }) => MessageBody));
    }
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(answered);
  };
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
