import { describe, expect, test } from '@jest/globals';
import { HttpFailure, type HttpRequest, type HttpResponse } from '../../kernel/http/index.ts';
import { createCloudFrontClient } from './clients.ts';
import { CloudFrontDistribution } from './cloudfront-distribution.ts';

const HEADER = 'x-svc-origin-secret';
const header = (name: string, value: string) =>
  `<OriginCustomHeader><HeaderName>${name}</HeaderName><HeaderValue>${value}</HeaderValue></OriginCustomHeader>`;
/** A configuration as CloudFront writes it, reduced, with an element that the SDK does not know. */
const configuration = (...headers: string[]) =>
  `<?xml version="1.0"?>\n<DistributionConfig xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><CallerReference>r</CallerReference>${headers
    .map((one) => `<Origin><CustomHeaders><Quantity>1</Quantity><Items>${one}</Items></CustomHeaders></Origin>`)
    .join('')}<Tomorrow>a &amp; b</Tomorrow></DistributionConfig>`;

type Answer = readonly [status: number, body?: string] | HttpFailure;

/** CloudFront with these responses in turn. */
function cloudFront(...answers: Answer[]) {
  const asked: HttpRequest[] = [];
  const http = {
    send: async (request: HttpRequest): Promise<HttpResponse> => {
      asked.push(request);
      const answer = answers.shift();
      if (answer === undefined || answer instanceof HttpFailure) throw answer ?? new Error('asked once too often');
      const [status, body = ''] = answer;
      const pieces = (async function* () {
        yield Buffer.from(body);
      })();
      return { status, headers: { etag: `E${asked.length}` }, body: pieces };
    },
  };
  const credentials = { accessKeyId: ['AK', 'ID'].join(''), secretAccessKey: 'secret' };
  const client = createCloudFrontClient({ region: 'eu-central-1', credentials, http });
  return { distribution: new CloudFrontDistribution(client, 'E1EXAMPLE'), asked };
}

const code = (name: string) => `<ErrorResponse><Error><Type>Sender</Type><Code>${name}</Code></Error></ErrorResponse>`;

describe('a header of a distribution', () => {
  test('is changed for every origin that sends it, and nothing else changes', async () => {
    const before = configuration(
      header(HEADER, 'old'),
      header('x-other', 'old'),
      header('X-Svc-Origin-Secret', 'older'),
    );
    const after = configuration(header(HEADER, 'new'), header('x-other', 'old'), header('X-Svc-Origin-Secret', 'new'));
    const { distribution, asked } = cloudFront([200, before], [200]);
    await distribution.send(HEADER, 'new');
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['GET', 'https://cloudfront.amazonaws.com/2020-05-31/distribution/E1EXAMPLE/config'],
      ['PUT', 'https://cloudfront.amazonaws.com/2020-05-31/distribution/E1EXAMPLE/config'],
    ]);
    expect(asked[1]).toMatchObject({ body: after, headers: { 'if-match': 'E1', 'content-type': 'application/xml' } });
    expect(asked[1]?.headers.authorization).toMatch(/\/us-east-1\/cloudfront\/aws4_request, SignedHeaders=.*if-match/);
  });

  test('is left unchanged if it already has the value', async () => {
    const { distribution, asked } = cloudFront([200, configuration(header(HEADER, 'new'))]);
    await distribution.send(HEADER, 'new');
    expect(asked).toHaveLength(1);
  });

  test('is reported if no origin sends it', async () => {
    const { distribution } = cloudFront([200, configuration(header('x-other', 'old'))]);
    await expect(distribution.send(HEADER, 'new')).rejects.toThrow('no origin');
  });

  test('is changed in the latest configuration after a concurrent change', async () => {
    const text = configuration(header(HEADER, 'old'));
    const conflict: Answer = [412, code('PreconditionFailed')];
    const { distribution, asked } = cloudFront([200, text], conflict, [200, text], conflict, [200, text], [200]);
    await distribution.send(HEADER, 'new');
    expect(asked.at(-1)?.headers['if-match']).toBe('E5');
    const often = cloudFront([200, text], conflict, [200, text], conflict, [200, text], conflict);
    await expect(often.distribution.send(HEADER, 'new')).rejects.toThrow('distribution: PreconditionFailed');
  });

  test.each([
    ['everywhere', 'Deployed', ['new', 'new'], true],
    ['not yet', 'InProgress', ['new'], false],
    ['by one origin only', 'Deployed', ['new', 'old'], false],
    ['by no origin', 'Deployed', [], false],
  ])('is sent %s', async (_, status, values, expected) => {
    const text = configuration(...values.map((value) => header(HEADER, value)));
    const { distribution } = cloudFront([200, text], [200, `<Distribution><Status>${status}</Status></Distribution>`]);
    expect(await distribution.isSending(HEADER, 'new')).toBe(expected);
  });
});

describe('a call', () => {
  const text = configuration(header(HEADER, 'new'));

  test.each<[string, Answer]>([
    ['is busy', [429, code('Throttling')]],
    ['fails', [503]],
    ['cannot be reached', new HttpFailure('connect', false)],
    ['does not respond', new HttpFailure('timeout', true)],
  ])('is attempted three times if CloudFront %s', async (_, answer) => {
    const { distribution, asked } = cloudFront(answer, answer, [200, text]);
    await distribution.send(HEADER, 'new');
    expect(asked).toHaveLength(3);
    await expect(cloudFront(answer, answer, answer).distribution.send(HEADER, 'new')).rejects.toThrow();
    for (const { headTimeoutMs, idleTimeoutMs } of asked)
      expect([headTimeoutMs, idleTimeoutMs]).toEqual([10_000, 10_000]);
  });

  test('that is refused is made once, and reported by the AWS error code only', async () => {
    const { distribution, asked } = cloudFront([403, `${code('AccessDenied')}with a secret`]);
    await expect(distribution.send(HEADER, 'new')).rejects.toThrow(/^distribution: AccessDenied$/);
    expect(asked).toHaveLength(1);
  });
});
