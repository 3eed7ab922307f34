import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toParam } from '../../functions/kernel/errors/index.ts';
import { asking, type Json, leastAnswer } from './asking.ts';
import { type Exchange, type Gateway, startGateway } from './gateway.ts';
import { isAt, type Reasons } from './reasons.ts';
import { isRefusedFor, isWarnedOf, paramOf, warningsIn } from './refusal.ts';
import { NATIVE, SHARED } from './routes.ts';
import { type Leaf, leavesOf } from './schema/leaves.ts';
import { readPublished } from './schema/read-published.ts';
import type { PublishedRoute } from './schema/shape.ts';
import { unknownIn } from './schema/unknown-in.ts';
import { UNPUBLISHED, unreportedFor } from './unreported-fields.ts';

const published = readPublished();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const PAIRS = SHARED.flatMap(([name, route]) => (route.translated ?? []).map((to) => [name, to, route] as const));

/** So many values of one place are tried: what differs shows with two. */
const TRIED = 6;

describe.each(PAIRS)('%s sent to %s', (name, to, route) => {
  const { request } = published.get(route.as ?? name) as PublishedRoute;
  const leaves = leavesOf(request, route.request).filter(({ path }) => path[0] !== 'model');
  const tried = leaves.flatMap((leaf) => leaf.values.slice(0, TRIED).map((value) => ({ leaf, value })));
  const [native, nativeRoute] = NATIVE[to];
  const target = published.get(native) as PublishedRoute;
  let exchanges: Exchange[];
  let strict: Exchange[];
  const of = (leaf: Leaf) => exchanges.filter((_, at) => tried[at]?.leaf === leaf);

  beforeAll(async () => {
    const answer = leastAnswer(nativeRoute, target);
    const askAll = (headers: Record<string, string>) =>
      gateway.askAll(
        tried.map(({ leaf, value }) =>
          asking(name, route, among(leaf.whole(value) as Json), answer, { of: to, headers }),
        ),
      );
    exchanges = await askAll({});
    strict = await askAll({ 'x-svc-translation': 'strict' });
  });

  const reasons = unreportedFor(name, to);

  test('every field is supported, reported in svc.warnings, or refused by its name', () => {
    const unreported = leaves.filter((leaf) => !isReported(leaf, of(leaf)));
    const silent = unreported.filter(({ path }) => reasonFor(path, reasons) === undefined);
    expect(silent.map((leaf) => wordsFor(leaf, of(leaf)))).toEqual([]);
    const excused = new Set(unreported.map(({ path }) => reasonFor(path, reasons)));
    expect(Object.keys(reasons).filter((place) => !excused.has(place))).toEqual([]);
  });

  test('a strict translation refuses by their names the fields that have warnings otherwise, and only those', () => {
    const faults = exchanges.flatMap((lenient, at) => {
      const one = strict[at] as Exchange;
      const fields = lenient.status === 200 ? warningsIn(lenient.text).map(({ field }) => field) : undefined;
      const isRight =
        fields === undefined || fields.length > 0
          ? one.status !== 200 && (fields === undefined || fields.includes(paramOf(one.text) ?? ''))
          : one.status === 200 && warningsIn(one.text).length === 0;
      return isRight ? [] : [`${tried[at]?.leaf.name}: ${one.status} ${one.text.slice(0, 200)}`];
    });
    expect([...new Set(faults)]).toEqual([]);
  });

  test('the provider is sent nothing that its API does not know', () => {
    const foreign = exchanges.flatMap(({ sent }, at) => {
      const places = sent ? unknownIn(target.request, JSON.parse(sent.body.toString())) : [];
      const unexcused = places.filter((place) => reasonFor(place, UNPUBLISHED[to]) === undefined);
      return unexcused.map((place) => `${tried[at]?.leaf.name} is sent as ${toParam(place)}`);
    });
    expect([...new Set(foreign)]).toEqual([]);
  });

  /** A conversation around a sample: it has a user's turn, and tool calls before their results. */
  function among(sample: Json): Json {
    return route.among?.(sample) ?? sample;
  }
});

/** Whether each value of a place makes a difference to the provider, or is refused or reported by the name of the place. */
function isReported(leaf: Leaf, exchanges: readonly Exchange[]): boolean {
  const refusals = exchanges.filter(({ status }) => status !== 200);
  if (!refusals.every((one) => isRefusedFor(one, leaf))) return false;
  const rest = exchanges.filter((one) => one.status === 200 && !isWarnedOf(one, leaf));
  if (rest.length === 0 || (rest.length === 1 && exchanges.length > 1)) return true;
  return new Set(rest.map(({ sent }) => sent?.body.toString().replace(/-w\d+/g, ''))).size > 1;
}

/** The entry that excuses a place. */
function reasonFor(path: Leaf['path'], reasons: Reasons): string | undefined {
  return Object.keys(reasons).find((place) => isAt(path, place));
}

function wordsFor(leaf: Leaf, exchanges: readonly Exchange[]): string {
  const refusal = exchanges.find(({ status }) => status !== 200);
  return `${leaf.name}: ${refusal ? `${refusal.status} ${refusal.text.slice(0, 200)}` : 'lost in silence'}`;
}
