import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CallTally } from '../infra/recorded-calls.ts';
import { describeRestCall, describeSdkCalls } from '../infra/sdk-call.ts';

/** The file in which `npm run generate recorded-calls` collects calls; nothing is recorded if it is absent. */
const FOLDER = process.env.SVC_RECORD_CALLS;

export interface ServiceAddresses {
  readonly dynamodb?: string;
  readonly sqs?: string;
  readonly secrets?: string;
  readonly bedrock?: string;
  readonly eventbridge?: string;
  readonly firehose?: string;
  readonly cloudfront?: string;
  readonly s3?: string;
}

export interface Endpoints {
  /** The endpoints that the function gets instead of AWS's. */
  readonly env: Readonly<Record<string, string>>;
  /** A queue's URL at the address that the function is given. */
  queueUrl(url: string): string;
  readonly bedrockUrl: string | undefined;
  stop(): void;
}

/**
 * The stores' addresses for one function. Where calls are recorded they lead through a proxy that notes what the function asks
 * of whom, for the role of that name, and writes it down when it is stopped.
 */
export async function startEndpoints(role: string, addresses: ServiceAddresses): Promise<Endpoints> {
  if (FOLDER === undefined)
    return endpointsAt(
      addresses,
      (url) => url,
      () => {},
    );
  const tally = new CallTally();
  // A connection each: one that the store closes meanwhile would fail the call that comes over it.
  const agent = new http.Agent({ keepAlive: false });
  const targetOf = ({ headers, method = '', url = '' }: http.IncomingMessage, body: string): string | undefined => {
    const target = headers['x-amz-target'];
    const calls = typeof target === 'string' ? describeSdkCalls(target, body) : [describeRestCall(method, url)];
    for (const call of calls) tally.add(call);
    const [service = ''] = calls[0]?.action.split(':') ?? [];
    return { ...addresses, secretsmanager: addresses.secrets, events: addresses.eventbridge }[service];
  };
  const server = http.createServer(async (request, response) => {
    try {
      const body = await buffer(request);
      const target = targetOf(request, body.toString());
      if (target === undefined) throw new Error(`${role} has no address for ${request.url}`);
      const { method = 'POST', url = '/', headers } = request;
      const passed = http.request(new URL(url, target), { method, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.once('error', () => response.destroy());
      passed.end(body);
    } catch (error) {
      console.error(error);
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return endpointsAt(
    addresses,
    (url) => own + new URL(url).pathname.replace(/\/$/, ''),
    () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      writeFileSync(path.join(FOLDER, `${randomUUID()}.json`), JSON.stringify({ role, calls: tally.calls() }));
    },
  );
}

function endpointsAt(addresses: ServiceAddresses, at: (url: string) => string, stop: () => void): Endpoints {
  const { bedrock, secrets, ...others } = addresses;
  const named = Object.entries({ ...others, secrets_manager: secrets });
  return {
    env: Object.fromEntries(
      named.flatMap(([name, url]) => (url === undefined ? [] : [[`AWS_ENDPOINT_URL_${name.toUpperCase()}`, at(url)]])),
    ),
    queueUrl: at,
    bedrockUrl: bedrock === undefined ? undefined : at(bedrock),
    stop,
  };
}
