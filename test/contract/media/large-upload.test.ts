import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toFile } from 'openai';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

/** OpenAI's own limit of a recording. */
const LIMIT = 25 * 1024 * 1024;

const contract = new Contract(
  (providers) => startLocalProcess(providers, { SVC_MAX_BODY_BYTES: String(LIMIT), ...WITHOUT_EVENTS }),
  {},
);
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const recording = (size: number) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8)) % 253;
  return bytes;
};

test('a recording of seven megabytes passes complete if the deployment allows it', async () => {
  const { audio } = contract.client({ apiKey: await contract.newKey({ permissions: ['audio'] }) });
  const bytes = recording(7 * 1024 * 1024);
  const { text } = await audio.transcriptions.create({
    file: await toFile(bytes, 'call.wav'),
    model: 'gpt-4o-transcribe',
  });
  expect([text, contract.sent.bytes.includes(bytes)]).toEqual(['Good evening. All is well here.', true]);
});

test('a larger one gets an error with the limit', async () => {
  const { audio } = contract.client({ apiKey: await contract.newKey({ permissions: ['audio'] }) });
  const file = await toFile(recording(LIMIT), 'call.wav');
  await expect(audio.transcriptions.create({ file, model: 'echo' })).rejects.toMatchObject({
    status: 413,
    code: 'request_too_large',
    message: expect.stringContaining(`${LIMIT} bytes`),
  });
});
