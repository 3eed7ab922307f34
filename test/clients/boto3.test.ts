import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startTlsFront, type TlsFront } from '../support/tls-front.ts';
import { startService } from './start-service.ts';

const HERE = path.join(import.meta.dirname, 'boto3');
const run = promisify(execFile);
/** Python is optional, as in test/moto. */
const hasPython = process.env.SVC_TEST_PYTHON !== undefined;

const contract = new Contract(startService, {});
/** boto3 sends a Bedrock API key by TLS alone. */
let front: TlsFront;
beforeAll(async () => {
  await contract.start();
  front = await startTlsFront(contract.service.baseUrl);
});
afterAll(async () => {
  front?.close();
  await contract.stop();
});

/** By the variables that AWS documents, and no code: an endpoint, a region and a Bedrock API key. */
async function ask(model: string, text: string, key = contract.key) {
  const { stdout } = await run(path.join(HERE, '.venv/bin/python'), [path.join(HERE, 'ask.py'), model, text], {
    env: {
      AWS_BEARER_TOKEN_BEDROCK: key,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: front.url,
      AWS_CA_BUNDLE: front.certificate,
      AWS_REGION: 'eu-central-1',
      AWS_DEFAULT_REGION: 'eu-central-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
  return JSON.parse(stdout);
}

(hasPython ? describe : describe.skip)('boto3', () => {
  test.each(['claude-opus-5', 'gpt-4o-mini', 'echo'])('calls %s by each operation of Bedrock', async (model) => {
    expect(await ask(model, 'Good evening')).toEqual({
      converse: {
        text: 'Good evening',
        stopReason: 'end_turn',
        action: 'allow',
        tokens: expect.any(Number),
        requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      },
      converseStream: {
        text: 'Good evening',
        names: expect.arrayContaining(['messageStart', 'messageStop', 'metadata']),
      },
      invoke: { text: 'Good evening' },
      invokeStream: { text: 'Good evening', ends: ['message_start', 'message_stop'] },
    });
  });

  test.each([
    ['a blocked request', 'echo', 'SVC-TEST-BLOCK-7f3a', undefined, { error: 'ValidationException', status: 400 }],
    ['a wrong key', 'echo', 'Hello', 'svc_sk_wrong', { error: 'AccessDeniedException', status: 401 }],
    ['an unknown model', 'no-such-model', 'Hello', undefined, { error: 'ResourceNotFoundException', status: 404 }],
  ])('throws its exception for %s', async (_, model, text, key, thrown) => {
    const [converse, converseStream, invoke, invokeStream] = Array(4).fill(thrown);
    expect(await ask(model, text, key)).toEqual({ converse, converseStream, invoke, invokeStream });
  });
});
