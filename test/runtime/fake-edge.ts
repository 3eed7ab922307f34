import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Version {
  text: string | undefined;
  readonly createdAt: number;
}

/** A secret of Secrets Manager with its versions, and a distribution of CloudFront, each with its own protocol, at one address. */
export class FakeEdge {
  /** What the distribution sends, by origin. */
  sent: string[];
  healthy = true;
  readonly versions = new Map<string, Version>();
  readonly labels = new Map<string, string>();
  /** Calls that changed something, by name. */
  readonly changes: string[] = [];
  private etag = 1;
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  constructor(secret: string, sent: string) {
    this.versions.set('v0', { text: secret, createdAt: 1_700_000_000 });
    this.labels.set('AWSCURRENT', 'v0');
    this.sent = [sent, sent];
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** As Secrets Manager begins a rotation. */
  begin(id: string): void {
    this.versions.set(id, { text: undefined, createdAt: 1_700_000_001 });
    this.labels.set('AWSPENDING', id);
  }

  get current(): string | undefined {
    return this.versions.get(this.labels.get('AWSCURRENT') ?? '')?.text;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const target = request.headers['x-amz-target'];
    if (request.url === '/healthz') response.writeHead(this.healthy ? 200 : 502).end('{}');
    else if (typeof target === 'string') this.answerSecrets(target.split('.')[1] ?? '', JSON.parse(body), response);
    else this.answerCloudFront(request, body, response);
  }

  private answerSecrets(action: string, input: Record<string, string>, response: ServerResponse): void {
    const type = { 'content-type': 'application/x-amz-json-1.1' };
    const { VersionId, VersionStage = '', ClientRequestToken = '', SecretString, MoveToVersionId = '' } = input;
    if (action === 'DescribeSecret') {
      const entries = [...this.versions.keys()].map((id) => [
        id,
        [...this.labels].filter(([, of]) => of === id).map(([l]) => l),
      ]);
      response.writeHead(200, type).end(JSON.stringify({ VersionIdsToStages: Object.fromEntries(entries) }));
    } else if (action === 'GetSecretValue') {
      const id = this.labels.get(VersionStage) ?? '';
      const version = this.versions.get(id);
      const isThere = version?.text !== undefined && (VersionId === undefined || VersionId === id);
      const found = { ARN: 'arn', VersionId: id, SecretString: version?.text, CreatedDate: version?.createdAt };
      if (isThere) response.writeHead(200, type).end(JSON.stringify(found));
      else response.writeHead(400, type).end('{"__type":"ResourceNotFoundException"}');
    } else {
      this.changes.push(action);
      if (action === 'PutSecretValue')
        this.versions.set(ClientRequestToken, { text: SecretString, createdAt: 1_700_000_001 });
      else this.labels.set('AWSCURRENT', MoveToVersionId);
      response.writeHead(200, type).end('{}');
    }
  }

  private answerCloudFront({ method, url, headers }: IncomingMessage, body: string, response: ServerResponse): void {
    // In the function's own region: the SDK signs for CloudFront's where it calls AWS's own address.
    const signed = headers.authorization?.includes('/eu-central-1/cloudfront/aws4_request') === true;
    if (!signed || !url?.startsWith('/2020-05-31/distribution/E1EXAMPLE')) {
      response.writeHead(403).end('<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>');
    } else if (!url.endsWith('/config')) {
      response.writeHead(200).end('<Distribution><Id>E1EXAMPLE</Id><Status>Deployed</Status></Distribution>');
    } else if (method === 'GET') {
      response.writeHead(200, { etag: `E${this.etag}` }).end(this.configuration());
    } else if (headers['if-match'] !== `E${this.etag}`) {
      response.writeHead(412).end('<ErrorResponse><Error><Code>PreconditionFailed</Code></Error></ErrorResponse>');
    } else {
      this.changes.push('UpdateDistribution');
      this.etag += 1;
      this.sent = [...body.matchAll(/<HeaderValue>(\w+)<\/HeaderValue>/g)].map(([, value = '']) => value);
      response.writeHead(200).end();
    }
  }

  private configuration(): string {
    const origins = this.sent.map(
      (value) =>
        `<Origin><CustomHeaders><Quantity>1</Quantity><Items><OriginCustomHeader><HeaderName>x-svc-origin-secret</HeaderName><HeaderValue>${value}</HeaderValue></OriginCustomHeader></Items></CustomHeaders></Origin>`,
    );
    return `<?xml version="1.0"?><DistributionConfig xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/">${origins.join('')}</DistributionConfig>`;
  }
}
