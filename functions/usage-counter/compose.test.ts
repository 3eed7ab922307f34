import { expect, it } from '@jest/globals';
import { compactRecord } from '../adapters/dynamo/record-item.ts';
import { recordOf } from '../control/analytics/record.fixture.ts';
import { toBatch } from './compose.ts';

const record = recordOf({ endUserId: 'ann', tags: { app: 'shop' } });
const keys = {
  sk: { S: `${record.time}#${record.id}` },
  keyPk: { S: `0#${record.keyId}` },
  endUserPk: { S: `0#${record.endUserId}` },
};

it.each([
  ['whole', JSON.stringify(record)],
  ['compact', compactRecord(record)],
])('a record in its %s form is counted from the stream', (_, text) => {
  const NewImage = { ...keys, record: { S: text } };
  const skipped: unknown[] = [];
  const event = {
    Records: [{ eventName: 'INSERT' as const, dynamodb: { SequenceNumber: '1', NewImage } }],
    shardId: 'shard',
  };
  const batch = toBatch(
    event,
    () => {},
    (position, error) => skipped.push([position, error]),
  );
  expect(skipped).toEqual([]);
  expect(batch.deliveries).toEqual([{ position: '1', record }]);
});

it('a record of an unknown form is skipped', () => {
  const skipped: unknown[] = [];
  const NewImage = { ...keys, record: { S: '{}' } };
  const Records = [{ eventName: 'INSERT' as const, dynamodb: { SequenceNumber: '7', NewImage } }];
  const batch = toBatch(
    { Records, shardId: 'shard' },
    () => {},
    (position) => skipped.push(position),
  );
  expect([batch.deliveries, skipped]).toEqual([[], ['7']]);
});
