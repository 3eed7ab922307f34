import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Contract } from '../contract/contract.ts';
import { GITHUB_TOKEN } from '../contract/inspection/planted-secret.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from './start-service.ts';

/** OpenAI's SDK with the calls of the Responses API beside the one that creates a response. */
const contract = new Contract(startService, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const MODEL = 'gpt-4o-mini';
const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const sdk = (apiKey = contract.key) => new OpenAI({ apiKey, baseURL: contract.service.baseUrl, maxRetries: 0 });

function done(client: OpenAI, id: string): Promise<OpenAI.Responses.Response> {
  return eventually(
    () => client.responses.retrieve(id),
    ({ status }) => status !== 'queued' && status !== 'in_progress',
  );
}

describe('a stored response', () => {
  test('is retrieved, its input listed page by page, and deleted', async () => {
    const client = sdk();
    const input = ['One', 'Two', 'Three'].map((content) => ({ role: 'user' as const, content }));
    const created = await client.responses.create({ model: MODEL, input });
    const fetched = await client.responses.retrieve(created.id, { include: ['message.output_text.logprobs'] });
    expect([fetched.id, fetched.output_text, fetched.usage]).toEqual([created.id, 'Three', created.usage]);
    const texts: string[] = [];
    for await (const item of client.responses.inputItems.list(created.id, { limit: 2, order: 'asc' })) {
      if (item.type === 'message') texts.push(...item.content.map((part) => ('text' in part ? part.text : '')));
    }
    expect(texts).toEqual(['One', 'Two', 'Three']);
    await client.responses.delete(created.id);
    await expect(client.responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 });
  });

  test('of another key is not found', async () => {
    const created = await sdk().responses.create({ model: MODEL, input: 'Hi' });
    const other = sdk(await contract.newKey());
    await expect(other.responses.retrieve(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(other.responses.delete(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('a background response', () => {
  const background = { model: MODEL, input: 'Hi', background: true } as const;

  test('is polled until it is completed, and its text is inspected', async () => {
    contract.upstream.next({ text: `Take ${GITHUB_TOKEN}.`, pendingPolls: 2 });
    const queued = await sdk().responses.create(background);
    expect([queued.status, queued.output_text]).toEqual(['queued', '']);
    const response = await done(sdk(), queued.id);
    expect([response.status, response.output_text]).toEqual(['completed', 'Take [REDACTED_GITHUB_TOKEN].']);
    const next = await sdk().responses.create({ model: MODEL, input: 'On', previous_response_id: response.id });
    expect(next.status).toBe('completed');
  });

  test('is blocked like any other', async () => {
    contract.upstream.next({ text: `So far. ${BLOCK} and more.` });
    const { id } = await sdk().responses.create(background);
    const response = await done(sdk(), id);
    expect([response.status, response.incomplete_details?.reason, response.output_text]).toEqual([
      'incomplete',
      'content_filter',
      'So far. ',
    ]);
  });

  test('is cancelled', async () => {
    contract.upstream.next({ pendingPolls: 9 });
    const { id } = await sdk().responses.create(background);
    expect((await sdk().responses.cancel(id)).status).toBe('cancelled');
  });

  test('is streamed, and the stream continues after an event', async () => {
    contract.upstream.next({ text: 'One two three four' });
    const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await sdk().responses.create({ ...background, stream: true })) seen.push(event);
    const [first] = seen;
    const id = first?.type === 'response.created' ? first.response.id : '';
    const after = seen[4]?.sequence_number ?? 0;
    const rest: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await sdk().responses.retrieve(id, { stream: true, starting_after: after }))
      rest.push(event);
    expect(rest.map(({ type }) => type)).toEqual(seen.slice(5).map(({ type }) => type));
    const running = sdk().responses.stream({ response_id: id, starting_after: after });
    expect((await running.finalResponse()).output_text).toBe('One two three four');
  });
});

test('a conversation is compacted, and goes on from there', async () => {
  const compacted = await sdk().responses.compact({ model: MODEL, input: 'Good morning' });
  expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
  const input = [...compacted.output, { role: 'user', content: 'On' }] as OpenAI.Responses.ResponseInputItem[];
  expect((await sdk().responses.create({ model: MODEL, input, store: false })).output_text).toBe('On');
});

test('input tokens are counted', async () => {
  const { input_tokens: count } = await sdk().responses.inputTokens.count({ model: MODEL, input: 'Good morning' });
  expect(count).toBeGreaterThan(0);
});
