import { describe, expect, test } from '@jest/globals';
import { encodeStrictly, signAwsPost } from './sign-aws-request.ts';

const ACCESS_KEY = ['AKID', 'EXAMPLE'].join('');
const SECRET_KEY = ['wJalrXUtnFEMI', 'K7MDENG+bPxRfiCYEXAMPLEKEY'].join('/');
const SCOPE = { region: 'eu-central-1', service: 'bedrock' };
const NOW_MS = Date.parse('2026-01-02T03:04:05Z');

function signatureOf(guardrail: string, sessionToken?: string): string {
  const signed = signAwsPost(
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

  test('the same after another service has signed', () => {
    const request = { host: 'dynamodb', headers: {}, body: '{}' };
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    const dynamo = { ...SCOPE, service: 'dynamodb' };
    const first = signAwsPost(request, credentials, dynamo, NOW_MS);
    signatureOf('gr1example2id');
    expect(signAwsPost(request, credentials, dynamo, NOW_MS)).toEqual(first);
    expect(signAwsPost(request, credentials, SCOPE, NOW_MS).authorization).not.toBe(first.authorization);
  });
});
