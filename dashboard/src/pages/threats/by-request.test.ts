import { expect, it } from '@jest/globals';
import type { Threat } from '../../api/client.ts';
import { groupByRequest } from './by-request.ts';

const threat = (requestId: string, id: string, action: Threat['action'], score: number) =>
  ({ requestId, id, action, score }) as Threat;

it('groups the findings of a request, that with the strongest decision first, then by score', () => {
  const groups = groupByRequest([
    threat('a', '1', 'flag', 0.95),
    threat('a', '2', 'redact', 0.9),
    threat('a', '3', 'redact', 0.95),
    threat('b', '4', 'block', 0.6),
  ]);
  expect(groups.map(({ requestId, threats }) => [requestId, threats.map(({ id }) => id)])).toEqual([
    ['a', ['3', '2', '1']],
    ['b', ['4']],
  ]);
});
