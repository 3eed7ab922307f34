import { expect, it } from '@jest/globals';
import { toOutboxItems } from './compose.ts';

const ARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/svc-data-Keys5-ABC/stream/2026-11-21T09:00:00.000';
const Keys = { pk: { S: 'secret#1' } };

it('items with events are read with their table, key and all events in order', () => {
  const outbox = { L: [{ S: '{"id":"evt_1"}' }, { S: '{"id":"evt_2"}' }] };
  const items = toOutboxItems(
    {
      Records: [
        { eventSourceARN: ARN, dynamodb: { Keys, NewImage: { ...Keys, outbox, outboxPk: { S: 'outbox' } } } },
        { eventSourceARN: ARN, dynamodb: { Keys, NewImage: Keys } },
        { eventSourceARN: ARN, dynamodb: { Keys } },
      ],
    },
    () => {
      throw new Error('skipped');
    },
  );
  expect(items).toEqual([
    { table: 'svc-data-Keys5-ABC', key: { pk: 'secret#1' }, events: ['{"id":"evt_1"}', '{"id":"evt_2"}'] },
  ]);
});

it('items whose outbox has another form are reported with their position and skipped', () => {
  const skipped: string[] = [];
  const record = (SequenceNumber: string, outbox: object) => ({
    eventSourceARN: ARN,
    dynamodb: { SequenceNumber, Keys, NewImage: { ...Keys, outbox } as never },
  });
  const Records = [
    record('1', { S: 'planted' }),
    record('2', { L: [{ S: '{"id":"evt_1"}' }] }),
    record('3', { L: [{ N: '7' }] }),
  ];
  const items = toOutboxItems({ Records }, (position, error) => skipped.push(`${position}: ${(error as Error).name}`));
  expect(items.map(({ events }) => events)).toEqual([['{"id":"evt_1"}']]);
  expect(skipped).toEqual(['1: TypeError', '3: TypeError']);
});
