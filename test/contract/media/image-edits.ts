import { describe, expect, test } from '@jest/globals';
import { toFile } from 'openai';
import { field, file, type WrittenPart, writtenForm } from '../../../functions/kernel/json/form.fixture.ts';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, UNSUSPICIOUS } from '../reply.ts';
import { toStreamReply } from '../stream-reply.ts';

const BOUNDARY = 'between-parts';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 0xff]);
const DATA_URL = `data:image/png;base64,${PNG.toString('base64')}`;

/** `POST /images/edits`, as a form through OpenAI's own client, and as JSON. */
export function imageEditsContract(contract: Contract): void {
  const keyFor = (permissions: string[], fields: object = {}) => contract.newKey({ permissions, ...fields });
  const imageKey = (fields: object = {}) => keyFor(['images'], fields);
  const picture = (name = 'image', filename = 'a.png') => file(PNG, filename, name, 'image/png');
  const post = (
    parts: readonly WrittenPart[],
    key: string,
    headers: Record<string, string> = {},
    boundary = BOUNDARY,
  ) =>
    contract.call('/images/edits', writtenForm(parts, boundary), {
      key,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    });
  const postJson = (body: object, key: string) => contract.call('/images/edits', JSON.stringify(body), { key });
  const asking = (fields: Readonly<Record<string, string>> = {}, model = 'gpt-image-1') => [
    field('model', model),
    picture(),
    ...Object.entries({ prompt: 'Add a boat', ...fields }).map(([name, value]) => field(name, value)),
  ];
  const referring = (fields: object = {}) => ({
    model: 'gpt-image-1',
    prompt: 'Add a boat',
    images: [{ image_url: DATA_URL }],
    ...fields,
  });
  const eventsOf = async (text: string) => (await toStreamReply(new Response(text))).chunks;

  describe('/images/edits', () => {
    test('gives the official client edited pictures of the echo model, from one file and from several', async () => {
      const { images } = contract.client({ apiKey: await imageKey() });
      const image = await toFile(PNG, 'a.png', { type: 'image/png' });
      const mask = await toFile(PNG, 'mask.png', { type: 'image/png' });
      const { data, usage } = await images.edit({ image, mask, model: 'echo', prompt: 'Add a boat', n: 2 });
      expect(data).toHaveLength(2);
      expect(usage).toMatchObject({ input_tokens: 3, output_tokens: 2 });
      const { data: others } = await images.edit({ image: [image, image], model: 'gpt-image-1', prompt: 'Add a boat' });
      expect(others).toHaveLength(1);
      expect(contract.sent.path).toBe('/v1/images/edits');
      expect(contract.sent.body.match(/name="image\[\]"/g)).toHaveLength(2);
    });

    test.each(['echo', 'gpt-image-1'])('streams to the official client, from %s', async (model) => {
      const { images } = contract.client({ apiKey: await imageKey() });
      const image = await toFile(PNG, 'a.png', { type: 'image/png' });
      const asked = { image, model, prompt: 'Add a boat', stream: true as const, partial_images: 2 };
      const types: string[] = [];
      for await (const { type } of await images.edit(asked)) types.push(type);
      expect(types).toEqual([...Array<string>(2).fill('image_edit.partial_image'), 'image_edit.completed']);
    });

    test('has svc, which lists every image that was not inspected', async () => {
      contract.upstream.next({ text: 'A boat at dusk' });
      const key = await imageKey();
      const parts = [
        picture('image[]'),
        picture('image[]', 'b.png'),
        picture('mask', 'm.png'),
        field('prompt', 'A boat'),
      ];
      const { json, headers } = await post([field('model', 'gpt-image-1'), ...parts], key);
      expect(headers.get('x-svc-route')).toBe('openai/gpt-image-1');
      expect(json.svc).toMatchObject({
        threat_score: UNSUSPICIOUS,
        action: 'allow',
        coverage: {
          input: expect.arrayContaining(['image', 'mask', 'prompt']),
          output: ['data[0]'],
          skipped: ['image[0]: image', 'image[1]: image', 'mask: image', 'data[0].b64_json: image'],
        },
      });
      const streamed = await eventsOf((await post(asking({ stream: 'true' }), key)).text);
      expect(streamed.at(-1)).toMatchObject({ type: 'image_edit.completed', svc: { action: 'allow' } });
    });

    test('takes references as JSON, and lists them', async () => {
      const body = { images: [{ image_url: DATA_URL }, { image_url: 'https://pictures.example/a.png' }] };
      const { status, json } = await postJson(referring(body), await imageKey());
      expect([status, json.svc.coverage.skipped]).toEqual([
        200,
        ['images[0]: image', 'images[1]: image', 'data[0].b64_json: image'],
      ]);
      const streamed = await postJson(referring({ stream: true, partial_images: 1 }), await imageKey());
      expect((await eventsOf(streamed.text)).map(({ type }) => type)).toEqual([
        'image_edit.partial_image',
        'image_edit.completed',
      ]);
    });

    test('reaches an OpenAI provider byte by byte, except for the model and our fields', async () => {
      const key = await imageKey();
      const parts = (model: readonly WrittenPart[], own: readonly WrittenPart[]) => [
        ...model,
        picture(),
        field('prompt', 'é\r\n'),
        field('moderation', 'low'),
        ...own,
      ];
      await post(parts([field('model', 'openai/gpt-image-1')], [field('svc', '{}')]), key);
      const sent = (model: string) => writtenForm(parts([field('model', model)], []), BOUNDARY).toString('latin1');
      expect(contract.sent.bytes.toString('latin1')).toBe(sent('gpt-image-1'));
      await post(parts([], []), key);
      expect(contract.sent.bytes.toString('latin1')).toBe(sent('gpt-image-1.5'));
      const json =
        '{ "prompt":"a\\u00e9", "images":[{"image_url":"https://a.example/b.png"}], "svc":{}, "moderation":"low" }';
      await contract.call('/images/edits', json, { key });
      expect(contract.sent.body).toBe(json.replace('"svc":{}, ', '').replace(/}$/, ',"model":"gpt-image-1.5"}'));
    });

    test.each<[string, readonly WrittenPart[]]>([
      ['prompt', asking({ prompt: `A boat. ${BLOCK}` })],
      ['user', asking({ user: BLOCK })],
      ['image.filename', [picture('image', `${BLOCK}.png`), field('prompt', 'a')]],
      ['image[1].filename', [picture('image[]'), picture('image[]', `${BLOCK}.png`), field('prompt', 'a')]],
      ['mask.filename', [picture(), picture('mask', `${BLOCK}.png`), field('prompt', 'a')]],
      ['size', asking({ size: `1024x1024 ${BLOCK}` })],
      ['later', asking({ later: BLOCK })],
      ['image', [file(`Notes: ${BLOCK}`, 'a.txt', 'image', 'text/plain'), field('prompt', 'a')]],
    ])('an attack in %s of a form reaches no provider', async (param, parts) => {
      const before = contract.upstream.requests.length;
      expectError(await post(parts, await imageKey()), 'content_filter', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test.each<[string, object]>([
      ['prompt', { prompt: `A boat. ${BLOCK}` }],
      ['images[0].image_url', { images: [{ image_url: `https://a.example/ ${BLOCK}` }] }],
      ['images[0].note', { images: [{ image_url: DATA_URL, note: BLOCK }] }],
      [
        'images[0].image_url',
        { images: [{ image_url: `data:text/plain;base64,${Buffer.from(`Notes: ${BLOCK}`).toString('base64')}` }] },
      ],
      ['mask.image_url', { mask: { image_url: `Notes ${BLOCK}` } }],
    ])('an attack in %s of JSON reaches no provider', async (param, fields) => {
      const before = contract.upstream.requests.length;
      expectError(await postJson(referring(fields), await imageKey()), 'content_filter', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('is blocked where the policy blocks what cannot be read', async () => {
      const key = await imageKey({ policy: { unreadable: 'block' } });
      const before = contract.upstream.requests.length;
      expectError(await post(asking(), key), 'content_filter', 'image');
      expectError(await postJson(referring(), key), 'content_filter', 'images[0]');
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('a revised prompt with a secret is redacted, and a blocked one withholds the pictures', async () => {
      const key = await imageKey();
      contract.upstream.next({ text: `A sign that says ${GITHUB_TOKEN}` });
      expect((await post(asking(), key)).json.data[0].revised_prompt).toMatch(/^A sign that says \[REDACTED_\w+\]$/);
      contract.upstream.next({ text: `A boat. ${BLOCK}` });
      const { json } = await post(asking(), key);
      expect([json.data, json.svc.action]).toEqual([[], 'block']);
    });

    test('a stream that ends before its picture is an error', async () => {
      contract.upstream.next({ failure: 'end-mid-stream', afterChunks: 1 });
      const { text } = await post(asking({ stream: 'true', partial_images: '2' }), await imageKey());
      expect((await eventsOf(text)).at(-1)).toMatchObject({ error: { code: 'provider_error' } });
    });

    test.each<[string, readonly WrittenPart[] | object]>([
      ['image', [field('prompt', 'a')]],
      ['image', [field('image', 'https://a.example/b.png'), field('prompt', 'a')]],
      ['image', [...Array.from({ length: 17 }, () => picture('image[]')), field('prompt', 'a')]],
      ['image', [picture(), picture(), field('prompt', 'a')]],
      ['mask', [picture(), field('mask', 'a'), field('prompt', 'a')]],
      ['prompt', [picture()]],
      ['n', asking({ n: '11' })],
      ['partial_images', asking({ partial_images: '4' })],
      ['stream', asking({ stream: '1' })],
      ['model', asking({}, 'claude-sonnet-4-5')],
      ['other', [...asking(), picture('other[]')]],
      ['images', referring({ images: [] })],
      ['images[0]', referring({ images: [{}] })],
      ['images[0]', referring({ images: [{ image_url: 'https://a.example', file_id: 'file-1' }] })],
      ['image', referring({ image: 'https://a.example/b.png' })],
      ['n', referring({ n: 11 })],
    ])('a request without a good %s is a 400', async (param, body) => {
      const key = await imageKey();
      const { status, json } = Array.isArray(body) ? await post(body, key) : await postJson(body, key);
      expect([status, json.error.param]).toEqual([400, param]);
    });

    test.each<[string, readonly WrittenPart[] | object]>([
      ['images[0].file_id', referring({ images: [{ file_id: 'file-of-another' }] })],
      ['mask.file_id', referring({ mask: { file_id: 'file-of-another' } })],
      ['images[0][file_id]', asking({ 'images[0][file_id]': 'file-of-another' })],
      ['mask.file_id', asking({ 'mask.file_id': 'file-of-another' })],
    ])('a file id in %s belongs to the key that received it', async (param, body) => {
      const key = await imageKey();
      const before = contract.upstream.requests.length;
      const reply = Array.isArray(body) ? await post(body, key) : await postJson(body, key);
      expectError(reply, 'not_found', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('another type of body is refused, and another method too', async () => {
      const key = await imageKey();
      const headers = { 'content-type': 'text/plain' };
      expectError(await contract.call('/images/edits', '{}', { key, headers }), 'unsupported_media_type');
      expectError(await contract.call('/images/edits', undefined, { key }), 'method_not_allowed');
    });

    test('needs the permission for images', async () => {
      expectError(await post(asking(), await keyFor(['audio'])), 'insufficient_permissions');
    });

    test('returns a stored response for an Idempotency-Key with any boundary, but not for another image', async () => {
      const key = await imageKey();
      const headers = { 'idempotency-key': `edit ${process.pid}` };
      const first = await post(asking(), key, headers);
      const before = contract.upstream.requests.length;
      expect((await post(asking(), key, headers, 'another')).text).toBe(first.text);
      expect(contract.upstream.requests).toHaveLength(before);
      const other = [
        field('model', 'gpt-image-1'),
        file('other', 'a.png', 'image', 'image/png'),
        field('prompt', 'Add a boat'),
      ];
      expectError(await post(other, key, headers), 'idempotency_conflict', 'Idempotency-Key');
    });

    test('reserves the tokens of the images sent and requested, and needs a price under a budget', async () => {
      const limited = await imageKey({ tokenLimit: { tokens: 12_000, period: 'month' } });
      const small = { size: '1024x1024', quality: 'low' };
      expect((await post(asking(small), limited)).status).toBe(200);
      const two = [...asking(small).slice(0, 1), picture('image[]'), picture('image[]'), field('prompt', 'a')];
      expectError(await post(two, limited), 'invalid_value', 'image');
      const images = [{ image_url: DATA_URL }, { image_url: DATA_URL }];
      expectError(await postJson(referring({ ...small, images }), limited), 'invalid_value', 'images');
      const budgeted = await imageKey({ budget: { usd: 5, period: 'day' } });
      expectError(await post(asking(), budgeted), 'invalid_value', 'model');
      expect((await post(asking({}, 'echo'), budgeted)).status).toBe(200);
    });

    test('is recorded, and captures contain no byte of an image', async () => {
      const { id, key } = await contract.createKey({ permissions: ['images'], policy: { capture: 'full' } });
      const reply = await post(asking(), key);
      const { json } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${id}`),
        ({ json }) => json.data.length > 0,
      );
      expect(json.data[0]).toMatchObject({
        route: '/v1/images/edits',
        tokens: { input: 7, output: 272 },
        costUsd: null,
      });
      const capture = await contract.settled(
        () => contract.analytics(`/requests/${reply.headers.get('x-request-id')}/capture`),
        ({ status }) => status === 200,
      );
      expect(JSON.parse(capture.json.request)).toMatchObject({
        image: { filename: 'a.png', type: 'image/png', bytes: PNG.length },
      });
    });
  });
}
