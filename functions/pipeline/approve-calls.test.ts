import { expect, it } from '@jest/globals';
import { createInspector } from '../inspection/detectors/index.ts';
import { waitingText } from './approve-calls.ts';

const inspector = createInspector();
const WHY = [
  'its argument "account" (`FR7630006000011234567890189`) comes from the result of read_mail and not from the user',
  'its argument "to" (`audit@collect.test`) is not in what the user wrote, and data of a document would go there',
  'it brings the sum of the day above 5000',
];

it.each(WHY)('the text instead of a call that waits is no attack when it comes back: %s', (why) => {
  for (const surface of ['user', 'tool', 'output'] as const) {
    const found = inspector.inspect(waitingText('send_payment', why, '7K3M-Q2WX'), surface);
    expect(found.filter(({ rule, score }) => rule.type !== 'pii' && score >= 0.5)).toEqual([]);
  }
});
