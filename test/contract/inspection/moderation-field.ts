import { describe, expect, test } from '@jest/globals';
import { MODERATION_CATEGORIES } from '../../../functions/kernel/model/index.ts';
import { responseSchema } from '../../../functions/translation/protocols/openai-responses/responses-schema.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError, type Reply } from '../reply.ts';
import { toResponseStream } from '../responses/responses-reply.ts';

const TOXIC = 'I will kill you tonight, you filthy animal';
const KIND = 'What lovely weather we have';
const MODEL = 'omni-moderation-latest';
const both = (mode: 'score' | 'block') => ({ model: MODEL, policy: { input: { mode }, output: { mode } } });

/** OpenAI's field `moderation` on chat completions and responses, filled by our engine. */
export function moderationFieldContract(contract: Contract): void {
  ofChats(contract);
  ofResponses(contract);
}

function ofChats(contract: Contract): void {
  const sayingIn = (text: string) => {
    contract.upstream.next({ text });
  };
  const side = (flagged: boolean) => ({
    type: 'moderation_results',
    model: MODEL,
    results: [{ type: 'moderation_result', model: MODEL, flagged }],
  });
  const ask = (content: string, moderation: unknown, model?: string): Promise<Reply> =>
    contract.chat({ ...saying(content, model), moderation });
  const reached = async (run: () => Promise<unknown>) => {
    const before = contract.upstream.requests.length;
    await run();
    return contract.upstream.requests.length - before;
  };

  describe.each([['gpt-4o-mini'], ['claude-sonnet-4-5']])('the field `moderation`, asking %s', (model) => {
    test("reports findings in a request and its response, in OpenAI's format, and changes neither", async () => {
      sayingIn(TOXIC);
      const { status, json } = await ask(KIND, { model: MODEL }, model);
      expect([status, json.choices[0].message.content]).toEqual([200, TOXIC]);
      expect(json.moderation).toMatchObject({ input: side(false), output: side(true) });
      const [result] = json.moderation.output.results;
      expect(result.categories).toMatchObject({ 'harassment/threatening': true, 'self-harm': false });
      for (const part of ['categories', 'category_scores', 'category_applied_input_types']) {
        expect(Object.keys(result[part]).sort()).toEqual([...MODERATION_CATEGORIES].sort());
      }
      expect(json.svc).toMatchObject({ action: 'flag', coverage: { input: ['messages[0]'] } });
      sayingIn(KIND);
      const other = await ask(TOXIC, both('score'), model);
      expect(other.json.moderation).toMatchObject({ input: side(true), output: side(false) });
      expect(JSON.stringify(contract.sent.json)).not.toContain('moderation');
    });

    test('is in a separate last chunk of a stream', async () => {
      sayingIn(TOXIC);
      const body = { ...saying(KIND, model), moderation: { model: MODEL }, stream_options: { include_usage: true } };
      const { chunks, done, content, finishReason } = await contract.stream(body);
      expect([done, content, finishReason]).toEqual([true, TOXIC, 'stop']);
      expect(chunks.map(({ moderation }) => moderation !== undefined).indexOf(true)).toBe(chunks.length - 1);
      const { id, object } = chunks[0];
      expect(chunks.at(-1)).toMatchObject({
        ...{ id, object, choices: [] },
        moderation: { input: side(false), output: side(true) },
      });
      expect(chunks.at(-2).usage).toBeDefined();
    });

    test('blocks a request that is flagged before it reaches a provider', async () => {
      const sent = await reached(async () => {
        const reply = await ask(TOXIC, both('block'), model);
        expectError(reply, 'content_filter', 'messages[0].content');
        expect(reply.json.svc).toMatchObject({ action: 'block' });
        expectError(
          await contract.chat({ ...saying(TOXIC, model), moderation: 'block', stream: true }),
          'content_filter',
          'messages[0].content',
        );
      });
      expect(sent).toBe(0);
    });

    test('blocks a flagged response, whole and streamed, and nothing else', async () => {
      const moderation = { model: MODEL, policy: { output: { mode: 'block' } } };
      sayingIn(`Listen. ${TOXIC}`);
      const { json } = await ask(TOXIC, moderation, model);
      expect(json.choices[0].finish_reason).toBe('content_filter');
      expect(json.choices[0].message.content).not.toContain('kill');
      expect(json.moderation).toMatchObject({ input: side(true), output: side(true) });
      expect(json.svc.action).toBe('block');
      sayingIn(`Listen. ${TOXIC}`);
      const { chunks, done, content, finishReason } = await contract.stream({ ...saying(KIND, model), moderation });
      expect([done, finishReason, content.includes('kill')]).toEqual([true, 'content_filter', false]);
      expect(chunks.at(-1).moderation).toMatchObject({ input: side(false), output: side(true) });
      sayingIn(KIND);
      expect((await ask(KIND, both('block'), model)).json).toMatchObject({
        choices: [{ finish_reason: 'stop', message: { content: KIND } }],
        moderation: { input: side(false), output: side(false) },
      });
    });
  });

  describe('the field `moderation`', () => {
    test('is returned beside a refusal, if the policy refuses blocked requests so', async () => {
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      const { status, json } = await contract.chat({ ...saying(TOXIC), moderation: both('block') }, { key });
      expect([status, json.choices[0].finish_reason]).toEqual([200, 'content_filter']);
      expect(json.moderation).toMatchObject({ input: side(true), output: side(false) });
      const stream = await contract.stream({ ...saying(TOXIC), moderation: both('block') }, { key });
      expect([stream.done, stream.finishReason]).toEqual([true, 'content_filter']);
      expect(stream.chunks.at(-1).moderation).toMatchObject({ input: side(true), output: side(false) });
    });

    test("is read by OpenAI's client, and is absent unless requested", async () => {
      sayingIn(TOXIC);
      const create = contract.client().chat.completions;
      const messages = [{ role: 'user' as const, content: KIND }];
      const { moderation } = await create.create({ model: 'gpt-4o-mini', messages, moderation: both('score') });
      const output = moderation?.output;
      expect(output?.type === 'moderation_results' && output.results[0]?.flagged).toBe(true);
      sayingIn(TOXIC);
      expect(await create.create({ model: 'gpt-4o-mini', messages })).not.toHaveProperty('moderation');
    });

    test.each([[{ policy: { input: { mode: 'loud' } } }], ['loud'], [7]])(
      'is refused where it is none: %j',
      async (field) => {
        const reply = await ask(KIND, field);
        expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_value']);
        expect(reply.json.error.param).toMatch(/^moderation/);
      },
    );
  });
}

function ofResponses(contract: Contract): void {
  const side = (flagged: boolean) => ({ type: 'moderation_result', model: MODEL, flagged });
  const asking = (input: string, moderation: unknown, model: string) => ({ model, input, moderation });
  const ask = (body: object, key = contract.key) => contract.call('/responses', JSON.stringify(body), { key });
  const stream = async (body: object, key = contract.key) =>
    toResponseStream(await contract.fetch('/responses', JSON.stringify({ ...body, stream: true }), { key }));

  describe.each([['gpt-4o-mini'], ['claude-sonnet-4-5']])('the field `moderation` of a response of %s', (model) => {
    test("reports findings in a request and its response, in OpenAI's format, and changes neither", async () => {
      contract.upstream.next({ text: TOXIC });
      const { status, json } = await ask(asking(KIND, { model: MODEL }, model));
      expect([status, json.status, json.output[0].content[0].text]).toEqual([200, 'completed', TOXIC]);
      expect(json.moderation).toMatchObject({ input: side(false), output: side(true) });
      for (const part of ['categories', 'category_scores', 'category_applied_input_types']) {
        expect(Object.keys(json.moderation.output[part]).sort()).toEqual([...MODERATION_CATEGORIES].sort());
      }
      expect(json.svc).toMatchObject({ action: 'flag', coverage: { input: ['input'] } });
      expect(responseSchema.safeParse(json).error).toBeUndefined();
      expect(JSON.stringify(contract.sent.json)).not.toContain('moderation');
      contract.upstream.next({ text: KIND });
      const reply = await stream(asking(TOXIC, both('score'), model));
      expect([reply.status, reply.faults]).toEqual([200, []]);
      expect(reply.events.at(-1)).toMatchObject({
        type: 'response.completed',
        response: { moderation: { input: side(true), output: side(false) }, svc: { action: 'flag' } },
      });
      expect(responseSchema.safeParse(reply.response).error).toBeUndefined();
    });

    test('blocks a request that is flagged before it reaches a provider', async () => {
      const before = contract.upstream.requests.length;
      for (const streams of [false, true]) {
        const reply = await ask({ ...asking(TOXIC, both('block'), model), stream: streams });
        expectError(reply, 'content_filter', 'input');
      }
      expect(contract.upstream.requests.length).toBe(before);
    });

    test('blocks a flagged response, whole and streamed, and nothing else', async () => {
      const moderation = { model: MODEL, policy: { output: { mode: 'block' } } };
      const cut = {
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        moderation: { input: side(true), output: side(true) },
        svc: { action: 'block' },
      };
      contract.upstream.next({ text: `Listen. ${TOXIC}` });
      const whole = await ask(asking(TOXIC, moderation, model));
      expect(whole.json).toMatchObject(cut);
      contract.upstream.next({ text: `Listen. ${TOXIC}` });
      const reply = await stream(asking(TOXIC, moderation, model));
      expect(reply.faults).toEqual([]);
      expect(reply.events.at(-1)).toMatchObject({ type: 'response.incomplete', response: cut });
      expect(whole.text + reply.text).not.toContain('kill');
      contract.upstream.next({ text: KIND });
      expect((await ask(asking(KIND, both('block'), model))).json).toMatchObject({
        status: 'completed',
        moderation: { input: side(false), output: side(false) },
      });
    });

    test('is returned beside a refusal, if the policy refuses blocked requests so', async () => {
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      const refused = { status: 'incomplete', moderation: { input: side(true), output: side(false) } };
      const { status, json } = await ask(asking(TOXIC, both('block'), model), key);
      expect([status, json]).toMatchObject([200, refused]);
      expect((await stream(asking(TOXIC, both('block'), model), key)).response).toMatchObject(refused);
    });

    test("is read by OpenAI's client, and has no result unless requested", async () => {
      const { responses } = contract.client();
      contract.upstream.next({ text: TOXIC });
      const { moderation } = await responses.create({ model, input: KIND, moderation: both('score') });
      const output = moderation?.output;
      expect(output?.type === 'moderation_result' && output.flagged).toBe(true);
      contract.upstream.next({ text: TOXIC });
      const running = responses.stream({ model, input: KIND, moderation: both('score') });
      expect((await running.finalResponse()).moderation).toMatchObject({ input: side(false), output: side(true) });
      contract.upstream.next({ text: TOXIC });
      expect((await responses.create({ model, input: KIND })).moderation ?? null).toBeNull();
    });
  });

  test.each([[{ policy: { input: { mode: 'loud' } } }], ['loud'], [7]])(
    'the field `moderation` of a response is refused where it is none: %j',
    async (field) => {
      const { status, json } = await ask(asking(KIND, field, 'gpt-4o-mini'));
      expect([status, json.error.code]).toEqual([400, 'invalid_value']);
      expect(json.error.param).toMatch(/^moderation/);
    },
  );
}
