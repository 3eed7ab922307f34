import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asking, type Json, leastAnswer, sampleOf } from './asking.ts';
import { type Exchange, type Gateway, startGateway } from './gateway.ts';
import { NATIVE, SHARED } from './routes.ts';
import { type Leaf, leavesOf } from './schema/leaves.ts';
import { readPublished } from './schema/read-published.ts';
import type { PublishedRoute } from './schema/shape.ts';
import { UNTOLD } from './untold-fields.ts';

const published = readPublished();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
}, 120_000);
afterAll(() => gateway.stop());

const PAIRS = SHARED.flatMap(([name, route]) => (route.translated ?? []).map((to) => [name, to, route] as const));

/** So many values of one place are tried: what differs shows with two. */
const TRIED = 6;

describe.each(PAIRS)('%s asked of %s', (name, to, route) => {
  test('every field is honoured, or refused by its name', async () => {
    const { request } = published.get(route.as ?? name) as PublishedRoute;
    const leaves = leavesOf(request, route.request).filter(({ path }) => path[0] !== 'model');
    const [native, nativeRoute] = NATIVE[to];
    const answer = leastAnswer(nativeRoute, published.get(native) as PublishedRoute);
    const tried = leaves.flatMap((leaf) => leaf.values.slice(0, TRIED).map((value) => ({ leaf, value })));
    const exchanges = await gateway.askAll(
      tried.map(({ leaf, value }) => asking(name, route, among(sampleOf(leaf, value)), answer, { of: to })),
    );
    const of = (leaf: Leaf) => exchanges.filter((_, at) => tried[at]?.leaf === leaf);
    const untold = leaves.filter((leaf) => !isTold(leaf, of(leaf)));
    const reasoned = UNTOLD[name]?.[to] ?? {};
    expect(untold.filter((leaf) => !reasonFor(leaf, reasoned)).map((leaf) => wordsFor(leaf, of(leaf)))).toEqual([]);
    // A reason that excuses nothing is out of date.
    expect(Object.keys(reasoned).filter((place) => !untold.some((leaf) => plain(leaf.path).startsWith(place)))).toEqual([]);
  });

  /** A conversation in which a sample may stand: somebody asks, and calls were made before they are answered. */
  function among(sample: Json): Json {
    return route.among?.(sample) ?? sample;
  }
});

/** Whether what a place holds makes a difference to the provider, or is refused by the name of the place. */
function isTold(leaf: Leaf, exchanges: readonly Exchange[]): boolean {
  const refusals = exchanges.filter(({ status }) => status !== 200);
  if (refusals.length > 0) return refusals.every((one) => one.status === 400 && names(one, leaf));
  return new Set(exchanges.map(({ sent }) => sent?.body.toString().replace(/-w\d+/g, ''))).size > 1;
}

/** Whether a refusal names the place, or what it stands in: `messages` alone would name any. */
function names({ text }: Exchange, leaf: Leaf): boolean {
  const param = paramOf(text)?.replace(/\[\d+\]/g, '[]');
  const place = plain(leaf.path);
  if (!param || param === 'messages' || param === 'contents') return false;
  return place === param || place.startsWith(`${param}.`) || place.startsWith(`${param}[`) || param.startsWith(`${place}.`);
}

function paramOf(text: string): string | undefined {
  const { error } = JSON.parse(text) as { error: { param?: string; details?: { metadata?: { param?: string } }[] } };
  return error.param ?? error.details?.[0]?.metadata?.param;
}

/** `messages[].content[].text` */
function plain(path: Leaf['path']): string {
  return path.map((step, at) => (typeof step === 'number' ? '[]' : `${at > 0 ? '.' : ''}${step}`)).join('');
}

function reasonFor({ path }: Leaf, reasoned: Readonly<Record<string, string>>): string | undefined {
  const place = plain(path);
  return Object.entries(reasoned).find(([start]) => place.startsWith(start))?.[1];
}

function wordsFor(leaf: Leaf, exchanges: readonly Exchange[]): string {
  const refusal = exchanges.find(({ status }) => status !== 200);
  return `${leaf.name}: ${refusal ? `${refusal.status} ${refusal.text.slice(0, 200)}` : 'lost in silence'}`;
}
