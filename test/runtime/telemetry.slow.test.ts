import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { linesOfAll, spanContract, TELLING } from '../contract/administration/telemetry.ts';
import { Contract } from '../contract/contract.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startFunctions } from './start-functions.ts';

let receiver: OtlpReceiver;
const contract = new Contract(
  (providers) => startFunctions(providers, { ...TELLING, SVC_OTLP_ENDPOINT: receiver.url }),
  {},
);
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  await receiver.stop();
});

spanContract(contract, () => receiver);

test('the log level warn keeps the metrics of requests', () => {
  const metrics = linesOfAll(contract).filter((line) => line.message === 'metrics' && line.Requests === 1);
  expect(metrics.length).toBeGreaterThan(3);
});
