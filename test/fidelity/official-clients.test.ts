import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { type Gateway, startGateway } from './gateway.ts';
import { isAt } from './reasons.ts';
import { REFUSED } from './refused-fields.ts';
import { modelIn, ROUTES, SHARED, type SharedRoute } from './routes.ts';
import { type Demands, type Leaf, leavesOf } from './schema/leaves.ts';
import { readPublished } from './schema/read-published.ts';
import type { PublishedRoute } from './schema/shape.ts';
import { toOpenApi } from './schema/to-openapi.ts';
import { type Steady, startSteady } from './steady.ts';

type Body = never;
type Call = (body: Body) => PromiseLike<unknown>;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
const published = readPublished();
let steady: Steady;
let gateway: Gateway;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  const forms = new Map(SHARED.flatMap(([name, { fileField }]) => (fileField ? [[name, fileField] as const] : [])));
  const called = [...published].filter(([name]) => Object.hasOwn(CALLS, name));
  steady = await startSteady(toOpenApi(called, forms));
  gateway = await startGateway({ OPENAI_BASE_URL: `${steady.url}/v1`, ANTHROPIC_BASE_URL: steady.url });
  const { key, url } = gateway;
  openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ apiKey: key, authToken: null, baseURL: url, maxRetries: 0 });
});
afterAll(async () => {
  await gateway?.stop();
  await steady?.stop();
});

/** The provider's own client, by route. */
const CALLS: Readonly<Record<string, Call>> = {
  'POST /v1/chat/completions': (body) => openai.chat.completions.create(body),
  'POST /v1/completions': (body) => openai.completions.create(body),
  'POST /v1/responses': (body) => openai.responses.create(body),
  'POST /v1/responses/compact': (body) => openai.responses.compact(body),
  'POST /v1/responses/input_tokens': (body) => openai.responses.inputTokens.count(body),
  'POST /v1/images/generations': (body) => openai.images.generate(body),
  'POST /v1/images/edits': (body) =>
    openai.images.edit({ ...(body as object), image: new File([PNG], 'a.png', { type: 'image/png' }) } as never),
  'POST /v1/images/edits (JSON)': (body) => openai.post('/images/edits', { body }),
  'POST /v1/audio/speech': async (body) => (await openai.audio.speech.create(body)).arrayBuffer(),
  'POST /v1/audio/translations': (body) =>
    openai.audio.translations.create({ ...(body as object), file: new File(['RIFF'], 'a.wav') } as never),
  'POST /v1/audio/transcriptions': (body) =>
    openai.audio.transcriptions.create({ ...(body as object), file: new File(['RIFF'], 'a.wav') } as never),
  'POST /v1/embeddings': (body) => openai.embeddings.create(body),
  'POST /v1/messages': (body) => anthropic.messages.create(body),
  'POST /v1/messages/count_tokens': (body) => anthropic.messages.countTokens(body),
};

/** Calls about a stored response have no body; test/clients has them. */
const OFFICIAL = SHARED.filter(([, { provider, isStored }]) => provider !== 'gemini' && !isStored);
const CREATION = 'POST /v1/responses';

test('every route has a call of its client', () => {
  expect(Object.keys(CALLS).sort()).toEqual(OFFICIAL.map(([name]) => name).sort());
});

test.each(OFFICIAL)(
  '%s: what the client sends is what its provider publishes, behind the gateway too',
  async (name, route) => {
    const { request } = published.get(route.as ?? name) as PublishedRoute;
    const demands = { ...(await withGivenIds(route)), brief: true } as const;
    const isRefused = ({ path }: Leaf) => Object.keys(REFUSED[name] ?? {}).some((place) => isAt(path, place));
    const leaves = leavesOf(request, demands).filter((leaf) => !isRefused(leaf));
    const refused: string[] = [];
    for (const leaf of leaves) {
      const body = route.body(leaf.whole(leaf.values[0]) as never, modelIn(route.provider, 0), false);
      await (CALLS[name] as Call)(body as never).then(undefined, (error: Error) => {
        refused.push(`${leaf.name}: ${error.message}`);
      });
    }
    expect(refused).toEqual([]);
    expect(leaves.length).toBeGreaterThan(0);
  },
);

/** A minimal request; where only the key's ids are allowed, with an id from an earlier response of this server. */
async function withGivenIds({ request, held, provider }: SharedRoute): Promise<Demands | undefined> {
  if (held === undefined) return request;
  const { body } = ROUTES[CREATION] as SharedRoute;
  const { id } = (await (CALLS[CREATION] as Call)(body({}, modelIn(provider, 0), false) as Body)) as { id: string };
  const values = { ...request?.values, id: [id], previous_response_id: [id], container: [id], container_id: [id] };
  return { ...request, values, least: { ...request?.least, id, container: id, container_id: id } };
}

test('the provider refuses unpublished fields, and the caller gets its error', async () => {
  const body = { model: 'gpt-w0', messages: [{ role: 'user', content: 'Hello' }], nobody_knows: 1 };
  await expect(openai.chat.completions.create(body as never)).rejects.toMatchObject({ status: 400 });
});
