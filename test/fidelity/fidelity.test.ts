import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  asking,
  dataOf,
  holdIds,
  type Json,
  leastAnswer,
  sampleOf,
  sentOf,
  toJsonResponse,
  toStreamResponse,
  withoutSvc,
  written,
} from './asking.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { isAt } from './reasons.ts';
import { isRefusedFor, isWarnedOf } from './refusal.ts';
import { LEFT_OUT, REFUSED } from './refused-fields.ts';
import { modelIn, SHARED, type SharedRoute } from './routes.ts';
import { type Leaf, leastOf, leavesOf } from './schema/leaves.ts';
import { readPublished } from './schema/read-published.ts';
import type { PublishedRoute } from './schema/shape.ts';

/** Whether calls are held: parts of a call that never ends, as a single event is, are removed then, and the response says so. */
const HOLDS_CALLS = process.env.SVC_TEST_POLICY !== undefined;
const isRemovedCall = (text: string) => HOLDS_CALLS && text.includes('"type":"tool_misuse","category":"tool_policy"');

const published = readPublished();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  for (const [name, route] of SHARED) await holdIds(gateway, name, route);
});
afterAll(() => gateway.stop());

describe.each(SHARED)('%s', (name, route) => {
  const form = published.get(route.as ?? name) as PublishedRoute;
  const leastRequest = leastOf(form.request, route.request) as Json;

  const refused = REFUSED[name] ?? {};
  const leftOut = LEFT_OUT[name] ?? {};
  test('every field of a request reaches its provider, byte by byte, or is refused by its name', async () => {
    const leaves = leavesOf(form.request, route.request);
    const answer = leastAnswer(route, form);
    const exchanges = await gateway.askAll(leaves.map((leaf) => asking(name, route, sampleOf(leaf), answer)));
    const excused = new Set<string>();
    const lost = exchanges.flatMap((exchange, at) => {
      const { status, text } = exchange;
      const leaf = leaves[at] as (typeof leaves)[number];
      const reason = Object.keys(refused).find((place) => isAt(leaf.path, place));
      if (reason !== undefined && isRefusedFor(exchange, leaf)) {
        excused.add(reason);
        return [];
      }
      const omission = Object.keys(leftOut).find((place) => isAt(leaf.path, place));
      if (omission !== undefined && isWarnedOf(exchange, leaf)) {
        excused.add(omission);
        return [];
      }
      const body = sentOf(route, exchange);
      const wanted = withoutTaken(sampleOf(leaf), route);
      // If the path contains the model, the body is the same in each lane.
      const lane = Number(/-w(\d+)/.exec(body)?.[1] ?? 0);
      const isSame = body === written(route, route.body(wanted, modelIn(route.provider, lane), false));
      return status === 200 && isSame ? [] : [`${leaf.name}: ${status} ${text.slice(0, 300)}`];
    });
    expect(lost).toEqual([]);
    expect([...excused].sort()).toEqual(Object.keys({ ...refused, ...leftOut }).sort());
    if (form.request.kind !== 'object' || form.request.fields.size > 0) expect(leaves.length).toBeGreaterThan(0);
  });

  const { answer } = form;
  if (answer !== undefined)
    test('every field of a response reaches the caller, byte by byte', async () => {
      const leaves = leavesOf(answer, route.answer).filter((leaf) => !isOurs(leaf, route));
      const answers = leaves.map((leaf) => toJsonResponse(route.whole?.(sampleOf(leaf)) ?? sampleOf(leaf)));
      const exchanges = await gateway.askAll(answers.map((answer) => asking(name, route, leastRequest, answer)));
      const lost = exchanges.flatMap(({ status, text }, at) => {
        if (status === 200 && (withoutSvc(text) === answers[at]?.body || isRemovedCall(text))) return [];
        return [`${leaves[at]?.name}: ${status} ${text.slice(0, 300)}`];
      });
      expect(lost).toEqual([]);
      expect(leaves.length).toBeGreaterThan(0);
    });

  const { event } = form;
  if (event === undefined) return;
  test('every field of a stream reaches the caller, byte by byte', async () => {
    const leaves = leavesOf(event, route.event).filter((leaf) => !isOurs(leaf, route));
    const streams = leaves.map((leaf) => route.stream?.(sampleOf(leaf)) ?? []);
    const asked = streams.map((events) =>
      asking(name, route, leastRequest, toStreamResponse(events, route), { stream: true }),
    );
    const lost = (await gateway.askAll(asked)).flatMap(({ status, text }, at) => {
      const given = dataOf(text).map(withoutSvc);
      const wanted = streams[at]?.map((one) => JSON.stringify(one)) ?? [];
      if (status === 200 && (given.join('\n') === wanted.join('\n') || isRemovedCall(text))) return [];
      return [`${leaves[at]?.name}: ${status} ${text.slice(0, 600)}`];
    });
    expect(lost).toEqual([]);
    expect(leaves.length).toBeGreaterThan(0);
  });
});

/** Whether a place of a response is in a report that only the gateway writes. */
function isOurs({ path }: Leaf, { taken = [] }: SharedRoute): boolean {
  return taken.includes(String(path[0] === 'response' ? path[1] : path[0]));
}

/** A request without the fields that the gateway handles itself. */
function withoutTaken(sample: Json, { taken = [] }: SharedRoute): Json {
  return Object.fromEntries(Object.entries(sample).filter(([field]) => !taken.includes(field)));
}
