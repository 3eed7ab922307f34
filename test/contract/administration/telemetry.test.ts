import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { linesOfAll, spanContract, TELLING } from './telemetry.ts';

let receiver: OtlpReceiver;
const contract = new Contract(
  (providers) =>
    startLocalProcess(providers, {
      ...TELLING,
      ...WITHOUT_EVENTS,
      SVC_OTLP_ENDPOINT: receiver.url,
      SVC_OTLP_HEADERS: '{"Authorization": "Bearer of the receiver"}',
    }),
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

test("the receiver gets the sender's name", () => {
  expect(receiver.headers.every(({ authorization }) => authorization === 'Bearer of the receiver')).toBe(true);
});

test('the log level warn omits audit lines and metrics too', () => {
  expect(linesOfAll(contract).filter(({ level }) => level !== 'WARN' && level !== 'ERROR')).toEqual([]);
});
