import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider's response: exactly these bytes. */
export interface Answer {
  readonly body: string | Uint8Array;
  readonly type: string;
  /** 200 where absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SentRequest {
  readonly path: string;
  readonly body: Buffer;
}

/** All providers in one server: a request in a lane (`-w7` in the model's name) gets the response planned for the lane. */
export interface Upstream {
  readonly url: string;
  answer(lane: number, answer: Answer): void;
  /** What came in the lane since it was asked last; undefined where nothing did. */
  taken(lane: number): SentRequest | undefined;
  close(): Promise<void>;
}

const LANE = /-w(\d+)\b/;

export async function startUpstream(): Promise<Upstream> {
  const answers = new Map<number, Answer>();
  const sent = new Map<number, SentRequest>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const path = request.url ?? '';
    const lane = Number((LANE.exec(path) ?? LANE.exec(body.toString('latin1')))?.[1]);
    sent.set(lane, { path, body });
    const answer = answers.get(lane);
    if (answer) {
      const headers = { 'content-type': answer.type, ...answer.headers };
      response.writeHead(answer.status ?? 200, headers).end(answer.body);
    } else
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"nothing laid here"}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (lane, answer) => {
      answers.set(lane, answer);
    },
    taken: (lane) => {
      const one = sent.get(lane);
      sent.delete(lane);
      return one;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
