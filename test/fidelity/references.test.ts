import { describe, expect, test } from '@jest/globals';
import { GATEWAY_OPERATIONS } from '../../functions/gateway/operations/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import { unknownIdsIn } from '../../functions/translation/protocols/bodies/named-ids.ts';
import { protocolOf } from '../support/protocol-of.ts';
import { type Json, pathOf, sampleOf } from './asking.ts';
import { modelIn, SHARED } from './routes.ts';
import { leavesOf } from './schema/leaves.ts';
import { readPublished } from './schema/read-published.ts';
import type { PublishedRoute } from './schema/shape.ts';

const published = readPublished();

/** They name what a provider keeps. */
const KEPT = /\.conversation(?:<\w+>)?\.id|\.continuationToken$/;

describe.each(SHARED.filter(([, { isStored }]) => !isStored))('%s', (name, route) => {
  test('no published field is taken for a reference that no list names', async () => {
    const { request } = published.get(route.as ?? name) as PublishedRoute;
    const entry = Object.values(GATEWAY_OPERATIONS).find(({ path }) => path === pathOf(name));
    if (entry === undefined || !('operation' in entry)) throw new Error(`no route ${name}`);
    const protocol = await protocolOf(entry.operation);
    const mistaken = leavesOf(request, route.request).flatMap((leaf) => {
      const body = route.body(sampleOf(leaf), modelIn(route.provider, 0), false) as Json;
      const named = finish(protocol.namedIds(body));
      const unknown = named.filter(({ unknownAt }) => unknownAt !== undefined);
      return unknown.map(({ param, id }) => `${leaf.name}: ${param} ${id}`);
    });
    expect([...new Set(mistaken)]).toEqual([]);
  });

  test('no published field of a response is stored as an id that no list names', () => {
    const { answer, event } = published.get(route.as ?? name) as PublishedRoute;
    const leaves = [...(answer ? leavesOf(answer, route.answer) : []), ...(event ? leavesOf(event, route.event) : [])];
    const others = leaves.filter(({ name }) => !KEPT.test(name));
    const stored = others.flatMap((leaf) => unknownIdsIn(sampleOf(leaf)).map((id) => `${leaf.name}: ${id}`));
    expect([...new Set(stored)]).toEqual([]);
  });
});
