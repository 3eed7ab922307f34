import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Item = Readonly<Record<string, unknown>>;

export interface StreamingTable {
  /** Replaces the store's address. */
  readonly url: string;
  /** Lets new items wait before they are written, until what it gives is called. */
  hold(): () => void;
  /** Lets every call of any table fail, until what it gives is called. */
  lose(): () => void;
  stop(): void;
}

/** A proxy of an embedded DynamoDB that reports each new item of one table, in write order. */
export async function startStreamingTable(
  storeUrl: string,
  tableName: string,
  onNewItem: (item: Item) => void,
): Promise<StreamingTable> {
  let held: Promise<void> | undefined;
  let isLost = false;
  const server = createServer((incoming, outgoing) => {
    if (isLost) {
      outgoing.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
      outgoing.end('{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}');
      return;
    }
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming);
    if (newItems(incoming, body, tableName).length > 0) await held;
    const call = request(storeUrl, { method: incoming.method ?? 'POST', headers: incoming.headers });
    call.end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const answered = await buffer(answer);
    if (answer.statusCode === 200) for (const item of newItems(incoming, body, tableName)) onNewItem(item);
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(answered);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    lose: () => {
      isLost = true;
      return () => {
        isLost = false;
      };
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function newItems({ headers }: IncomingMessage, body: Buffer, tableName: string): Item[] {
  const operation = String(headers['x-amz-target']).split('.')[1];
  if (operation !== 'PutItem' && operation !== 'BatchWriteItem') return [];
  const input = JSON.parse(body.toString());
  if (operation === 'PutItem') return input.TableName === tableName ? [input.Item] : [];
  return (input.RequestItems[tableName] ?? []).map(({ PutRequest }: { PutRequest: { Item: Item } }) => PutRequest.Item);
}
