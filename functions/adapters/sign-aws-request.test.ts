import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { encodeStrictly, signAwsRequest } from './sign-aws-request.ts';

const ACCESS_KEY = ['AKID', 'EXAMPLE'].join('');
const SECRET_KEY = ['wJalrXUtnFEMI', 'K7MDENG+bPxRfiCYEXAMPLEKEY'].join('/');
const SCOPE = { region: 'eu-central-1', service: 'bedrock' };
const NOW_MS = Date.parse('2026-01-02T03:04:05Z');

function signatureOf(guardrail: string, sessionToken?: string): string {
  const signed = signAwsRequest(
    {
      host: 'bedrock-runtime.eu-central-1.amazonaws.com',
      path: `/guardrail/${encodeStrictly(guardrail)}/version/DRAFT/apply`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ source: 'INPUT', content: [{ text: { text: 'Grüße' } }] }),
    },
    { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY, ...(sessionToken !== undefined && { sessionToken }) },
    SCOPE,
    NOW_MS,
  );
  return signed.authorization?.split('Signature=')[1] ?? '';
}

// What @smithy/signature-v4 5 gives for the same requests.
describe("a request is signed as AWS's SDK signs it", () => {
  test('with an id in its path', () =>
    expect(signatureOf('gr1example2id')).toBe('1f35e81496a075c7020454ebdc490a26b881479a9145cb74fd346919bf038821'));

  test('with an ARN in its path, which is encoded twice for the signature, and a session token', () =>
    expect(signatureOf('arn:aws:bedrock:eu-central-1:123456789012:guardrail/gr1example2id', 'a/session+token=')).toBe(
      '519928a898ce3a07dffcfd6747d6f33f7fe98a6501884b1df0364be5d318eda6',
    ));

  const signed = (request: Partial<Parameters<typeof signAwsRequest>[0]>, region: string, service: string) => {
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    const whole = { host: 'b.s3.eu-central-1.amazonaws.com', headers: {}, body: '', ...request };
    return signAwsRequest(whole, credentials, { region, service }, NOW_MS).authorization?.split('Signature=')[1];
  };

  test('with another method', () => {
    const headers = { 'if-match': 'E1', 'content-type': 'text/xml' };
    const [host, path] = ['cloudfront.amazonaws.com', '/2020-05-31/distribution/E1EXAMPLE/config'];
    expect(signed({ method: 'PUT', host, path, headers, body: '<a>ü</a>' }, 'us-east-1', 'cloudfront')).toBe(
      'f005adda360dcae3ef60680e9590add2d9ad3da6c8cd309637c629c5cacfd381',
    );
  });

  test('for S3, whose paths are signed as they are sent, with bytes or a query', () => {
    const sum = (body: string) => hash('sha256', body, 'hex');
    const headers = { 'x-amz-content-sha256': sum('hello'), 'content-type': 'text/javascript' };
    const put = { method: 'PUT', path: '/assets/a%20b.js', headers, body: Buffer.from('hello') } as const;
    expect(signed(put, 'eu-central-1', 's3')).toBe('3c386e6e38b8c62257ce49993ee16e3b0553bd8fce6086b46d9e78fdb8e34f61');
    const query = 'continuation-token=a%2Fb%3D%3D&list-type=2';
    const list = { method: 'GET', query, headers: { 'x-amz-content-sha256': sum('') } } as const;
    expect(signed(list, 'eu-central-1', 's3')).toBe('663028ddb889bff468846d66dab58336cf409c600486f17de390fdddc31b80c9');
  });

  test('the same after another service has signed', () => {
    const request = { host: 'dynamodb', headers: {}, body: '{}' };
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    const dynamo = { ...SCOPE, service: 'dynamodb' };
    const first = signAwsRequest(request, credentials, dynamo, NOW_MS);
    signatureOf('gr1example2id');
    expect(signAwsRequest(request, credentials, dynamo, NOW_MS)).toEqual(first);
    expect(signAwsRequest(request, credentials, SCOPE, NOW_MS).authorization).not.toBe(first.authorization);
  });
});
