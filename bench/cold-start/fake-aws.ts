import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FakeEdge } from '../../test/runtime/fake-edge.ts';

export interface FakeAws {
  /** EventBridge, an empty S3 bucket, and CloudFormation's response URL: each accepts anything. */
  readonly url: string;
  /** CloudFront with a distribution, and Secrets Manager with a rotation of its secret under way, whose next version is `ROTATION`. */
  readonly edgeUrl: string;
  stop(): void;
}

export const ROTATION = 'v1';

/** What functions ask besides the stores. */
export async function startFakeAws(): Promise<FakeAws> {
  const server = createServer(async (request, response) => {
    if (request.headers['x-amz-target'] === 'AWSEvents.PutEvents') {
      const { Entries } = (await json(request)) as { readonly Entries: readonly object[] };
      const answer = { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: '1' })) };
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    } else {
      request.resume();
      response.end(request.method === 'GET' ? '<ListBucketResult></ListBucketResult>' : '');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const [sent, next] = ['a'.repeat(64), 'b'.repeat(64)];
  const edge = new FakeEdge(JSON.stringify({ sent, next }), sent);
  edge.begin(ROTATION);
  edge.versions.set(ROTATION, { text: JSON.stringify({ sent, next: 'c'.repeat(64) }), createdAt: 1_700_000_001 });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    edgeUrl: await edge.start(),
    stop: () => {
      server.closeAllConnections();
      server.close();
      edge.stop();
    },
  };
}
