import { describe, expect, test } from '@jest/globals';
import { MODERATION_CATEGORIES } from '../../../functions/kernel/model/index.ts';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { UNSUSPICIOUS } from '../reply.ts';

/** What OpenAI's API has besides chats, mostly through OpenAI's own client. */
export function openAiRoutesContract(contract: Contract): void {
  const post = (path: string, body: object, key?: string) =>
    contract.call(path, JSON.stringify(body), key === undefined ? {} : { key });
  const keyFor = (permissions: string[]) => contract.newKey({ permissions });

  describe('/completions', () => {
    const asking = (prompt: unknown, fields: object = {}) => ({ model: 'echo', prompt, max_tokens: 50, ...fields });
    const client = async () => contract.client({ apiKey: await keyFor(['completions']) });

    test('return complete responses with svc', async () => {
      const { status, json } = await post('/completions', asking('one two'), await keyFor(['completions']));
      expect(status).toBe(200);
      expect(json).toMatchObject({
        object: 'text_completion',
        choices: [{ text: 'one two', index: 0, finish_reason: 'stop' }],
        usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
        svc: { threat_score: UNSUSPICIOUS, coverage: { input: ['prompt'], output: ['choices[0]'] } },
      });
    });

    test.each(['echo', 'claude-sonnet-4-5'])('stream to the official client, from %s', async (model) => {
      const create = { model, prompt: 'one two three', max_tokens: 50, stream: true as const };
      let [text, reason, usage] = ['', '', 0];
      for await (const chunk of await (await client()).completions.create({
        ...create,
        stream_options: { include_usage: true },
      })) {
        text += chunk.choices[0]?.text ?? '';
        reason = chunk.choices[0]?.finish_reason ?? reason;
        usage = chunk.usage?.total_tokens ?? usage;
      }
      expect([text, reason, usage > 0]).toEqual(['one two three', 'stop', true]);
    });

    test('pass to an OpenAI provider unchanged', async () => {
      const body = '{ "model":"gpt-3.5-turbo-instruct", "prompt":"a\\u00e9", "x":1.0 , "best_of": 2}';
      await contract.call('/completions', body, { key: await keyFor(['completions']) });
      expect([contract.sent.path, contract.sent.body]).toEqual(['/v1/completions', body]);
    });

    test('a blocked prompt reaches no provider, at any place in the list', async () => {
      const before = contract.upstream.requests.length;
      const asked = { model: 'gpt-3.5-turbo-instruct', prompt: ['fine', `and ${BLOCK}`] };
      const { status, json } = await post('/completions', asked, await keyFor(['completions']));
      expect([status, json.error.code, json.error.param]).toEqual([400, 'content_filter', 'prompt[1]']);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('a blocked response is cut, whole and streamed', async () => {
      const key = await keyFor(['completions']);
      const asked = asking('Go on', { model: 'claude-sonnet-4-5' });
      const answer = { text: `Fine so far. ${BLOCK} and what follows` };
      contract.upstream.next(answer);
      const whole = await post('/completions', asked, key);
      expect(whole.json.choices[0]).toMatchObject({ text: 'Fine so far. ', finish_reason: 'content_filter' });
      contract.upstream.next(answer);
      const { text } = await post('/completions', { ...asked, stream: true }, key);
      expect(text).toContain('"finish_reason":"content_filter"');
      expect(text).not.toMatch(/SVC-TEST|follows/);
      expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
    });

    test('tokens are reported as not inspected; a provider with chats only refuses them', async () => {
      const key = await keyFor(['completions']);
      const skipped = await post('/completions', { model: 'gpt-3.5-turbo-instruct', prompt: [1, 2, 3] }, key);
      expect(skipped.status).toBe(404);
      const refused = await post('/completions', { model: 'claude-sonnet-4-5', prompt: [1, 2, 3] }, key);
      expect([refused.status, refused.json.error.type]).toEqual([400, 'invalid_request_error']);
    });

    test.each([
      ['prompt', { model: 'echo' }],
      ['model', { prompt: 'a' }],
      ['max_tokens', { model: 'echo', prompt: 'a', max_tokens: -1 }],
    ])('a request without a good %s is told so', async (param, body) => {
      const { status, json } = await post('/completions', body, await keyFor(['completions']));
      expect([status, json.error.param]).toEqual([400, param]);
    });

    test('need their own permission', async () =>
      expect((await post('/completions', asking('a'), await keyFor(['chat_completions']))).status).toBe(403));
  });

  describe('/embeddings', () => {
    test('are equal for equal texts, and similar for texts that share words', async () => {
      const client = contract.client({ apiKey: await keyFor(['embeddings']) });
      const input = ['the cat sat', 'the cat sat', 'the cat ran', 'quite another thing'];
      const { data, usage } = await client.embeddings.create({ model: 'echo', input });
      const [one, same, near, far] = data.map(({ embedding }) => embedding) as [number[], number[], number[], number[]];
      const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
      expect(same).toEqual(one);
      expect(dot(one, one)).toBeCloseTo(1, 5);
      expect(dot(one, near)).toBeGreaterThan(dot(one, far));
      expect([one.length, usage.prompt_tokens]).toEqual([256, 12]);
    });

    test('an attack in the input is blocked, and svc is beside the vectors', async () => {
      const key = await keyFor(['embeddings']);
      const blocked = await post('/embeddings', { model: 'echo', input: ['fine', BLOCK] }, key);
      expect([blocked.status, blocked.json.error.param]).toEqual([400, 'input[1]']);
      const { json } = await post('/embeddings', { model: 'echo', input: 'fine' }, key);
      expect(json.svc).toMatchObject({ action: 'allow', coverage: { input: ['input'], output: [] } });
      const tokens = await post('/embeddings', { model: 'echo', input: [1, 2] }, key);
      expect(tokens.json.svc.coverage.skipped).toEqual(['input: tokens']);
    });

    test('a provider without embeddings is a 400, and a key without the permission a 403', async () => {
      const asked = { model: 'claude-sonnet-4-5', input: 'a' };
      const refused = await post('/embeddings', asked, await keyFor(['embeddings']));
      expect([refused.status, refused.json.error.param]).toEqual([400, 'model']);
      expect((await post('/embeddings', asked, await keyFor(['completions']))).status).toBe(403);
    });

    test('pass to an OpenAI provider unchanged', async () => {
      const body = '{ "model":"openai/text-embedding-3-small", "input":"a\\u00e9", "x":1.0 }';
      await contract.call('/embeddings', body, { key: await keyFor(['embeddings']) });
      expect([contract.sent.path, contract.sent.body]).toEqual(['/v1/embeddings', body.replace('openai/', '')]);
    });
  });

  describe('/moderations', () => {
    test('have a result for each text, in every category', async () => {
      const input = ['I will kill you tonight, you filthy animal', 'What lovely weather'];
      const { results } = await contract.client().moderations.create({ input });
      expect(results.map(({ flagged }) => flagged)).toEqual([true, false]);
      expect(results[0]?.categories).toMatchObject({ 'harassment/threatening': true, 'self-harm': false });
      for (const { categories, category_scores } of results) {
        expect(Object.keys(categories).sort()).toEqual([...MODERATION_CATEGORIES].sort());
        expect(Object.keys(category_scores).sort()).toEqual([...MODERATION_CATEGORIES].sort());
      }
    });

    test('report requests for harm as illicit', async () => {
      const input = ['Explain how to steal credit card numbers from an online shop.', 'Explain how to bake bread.'];
      const { results } = await contract.client().moderations.create({ input });
      expect(results.map(({ categories }) => categories.illicit)).toEqual([true, false]);
      expect(results[0]?.category_applied_input_types.illicit).toEqual(['text']);
    });

    test('report attacks in svc, skip images, and call no provider', async () => {
      const before = contract.upstream.requests.length;
      const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
      const { json } = await post('/moderations', { input: [{ type: 'text', text: BLOCK }, image] });
      expect(json.results).toHaveLength(1);
      expect(json.svc).toMatchObject({ action: 'block', coverage: { skipped: ['input[1]: image'] } });
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('refuse an invalid input', async () => {
      const { status, json } = await post('/moderations', { input: 7 });
      expect([status, json.error.param]).toEqual([400, 'input']);
    });
  });

  describe('/rerank', () => {
    const documents = ['Paris is in France.', { text: 'Rome is in Italy.' }];
    const asking = (fields: object = {}) => ({ model: 'echo', query: 'Where is Rome?', documents, ...fields });

    test('ranks documents with svc', async () => {
      const { status, json } = await post('/rerank', asking({ return_documents: true }), await keyFor(['embeddings']));
      expect([status, json.results.map(({ index }: { index: number }) => index)]).toEqual([200, [1, 0]]);
      expect(json).toMatchObject({
        results: [{ document: { text: 'Rome is in Italy.' } }, {}],
        svc: { threat_score: UNSUSPICIOUS, coverage: { input: ['query', 'documents'] } },
      });
    });

    test('refuses a blocked document and a key without the permission', async () => {
      const key = await keyFor(['embeddings']);
      const blocked = await post('/rerank', asking({ documents: ['a', BLOCK] }), key);
      expect([blocked.status, blocked.json.error.param]).toEqual([400, 'documents[1]']);
      expect((await post('/rerank', asking(), await keyFor(['completions']))).status).toBe(403);
    });
  });

  describe('/models', () => {
    test('lists models that the key may use, and returns each by its name', async () => {
      const all = await contract.client().models.list();
      const ids = all.data.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(['echo', 'gpt-4o']));
      expect(ids).not.toContain('mistral-large-latest');
      expect(new Set(ids).size).toBe(ids.length);
      const client = contract.client({ apiKey: await contract.newKey({ allowedModels: ['gpt-4o*', 'echo'] }) });
      const few = (await client.models.list()).data.map(({ id }) => id);
      expect(few.every((id) => id.startsWith('gpt-4o') || id === 'echo')).toBe(true);
      expect((await client.models.retrieve('gpt-4o')).owned_by).toBe('openai');
      await expect(client.models.retrieve('claude-sonnet-4-5')).rejects.toMatchObject({ status: 404 });
      expect((await contract.call('/models/openai/gpt-4o', undefined)).json.id).toBe('openai/gpt-4o');
    });

    test('are listed as each API shows them, with its errors', async () => {
      const origin = contract.service.baseUrl.replace(/\/v1$/, '');
      const get = async (path: string, headers: Record<string, string>) => {
        const response = await fetch(`${origin}${path}`, { headers });
        return {
          status: response.status,
          headers: response.headers,
          json: (await response.json()) as Record<string, unknown>,
        };
      };
      const anthropic = { 'x-api-key': contract.key, 'anthropic-version': '2023-06-01' };
      const page = await get('/v1/models?limit=2', anthropic);
      expect(page).toMatchObject({
        status: 200,
        json: { data: [{ type: 'model' }, { type: 'model' }], has_more: true },
      });
      expect(await get('/v1/models/gpt-none', anthropic)).toMatchObject({
        status: 404,
        json: { type: 'error', error: { type: 'not_found_error' } },
      });
      const refused = await get('/v1/models?after_id=none', anthropic);
      expect(refused).toMatchObject({ status: 400, json: { type: 'error', error: { param: 'after_id' } } });
      expect(refused.headers.get('request-id')).toMatch(/^req_/);
      const google = { 'x-goog-api-key': contract.key };
      expect(await get('/v1/models/gpt-4o', google)).toMatchObject({ json: { name: 'models/gpt-4o' } });
      const models = await get('/v1beta/models?pageSize=1000', google);
      expect(models.json.models).toContainEqual(expect.objectContaining({ name: 'models/gpt-4o' }));
      expect(await get('/v1beta/models/openai/gpt-4o', google)).toMatchObject({
        json: { name: 'models/openai/gpt-4o' },
      });
      expect(await get('/v1beta/models/none', google)).toMatchObject({
        status: 404,
        json: { error: { code: 404, status: 'NOT_FOUND' } },
      });
      expect((await get('/v1beta/models', {})).status).toBe(401);
    });

    test('needs a key', async () => expect((await contract.call('/models', undefined, { key: '' })).status).toBe(401));
  });

  test('unknown paths are a 404 in the JSON of the nearest API, and no page', async () => {
    const origin = contract.service.baseUrl.replace(/\/v1$/, '');
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${origin}${path}`, { headers });
      return [response.status, await response.json()];
    };
    const openai = { error: { code: 'not_found', type: expect.any(String), message: expect.any(String) } };
    const anthropic = { type: 'error', error: { type: 'not_found_error' }, request_id: expect.stringMatching(/^req_/) };
    for (const path of ['/keys', '/v1', '/v1/engines', '/assets/index.js', '/favicon.ico', '/.env', '/dashboards']) {
      expect(await get(path)).toMatchObject([404, openai]);
    }
    const message = expect.stringContaining('Files and batches are not served');
    const withReason = { error: { type: 'not_found_error', message } };
    expect(await get('/v1/messages/batches/a/lines')).toMatchObject([404, anthropic]);
    expect(await get('/v1/files', { 'anthropic-version': '2023-06-01' })).toMatchObject([404, withReason]);
    expect(await get('/v1/batches')).toMatchObject([404, { error: { code: 'not_found', message } }]);
    expect(await get('/v1beta/cachedContents')).toMatchObject([404, { error: { code: 404, status: 'NOT_FOUND' } }]);
  });
}
