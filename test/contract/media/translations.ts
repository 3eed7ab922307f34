import { describe, expect, test } from '@jest/globals';
import { toFile } from 'openai';
import { field, file, type WrittenPart, writtenForm } from '../../../functions/kernel/json/form.fixture.ts';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError } from '../reply.ts';

const AUDIO = Buffer.from([0x52, 0x49, 0x46, 0x46, 0, 1, 2, 0xff]);
const BOUNDARY = 'between-parts';

/** `POST /audio/translations`: the same code as transcriptions, so only what differs, and that it is connected. */
export function translationsContract(contract: Contract): void {
  const keyFor = (permissions: string[], fields: object = {}) => contract.newKey({ permissions, ...fields });
  const audioKey = (fields: object = {}) => keyFor(['audio'], fields);
  const post = (parts: readonly WrittenPart[], key: string) =>
    contract.call('/audio/translations', writtenForm(parts, BOUNDARY), {
      key,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    });
  const asking = (fields: Readonly<Record<string, string>> = {}, model = 'whisper-1') => [
    field('model', model),
    file(AUDIO, 'call.wav'),
    ...Object.entries(fields).map(([name, value]) => field(name, value)),
  ];

  describe('/audio/translations', () => {
    test.each(['json', 'verbose_json', 'text', 'srt', 'vtt'] as const)(
      'return a text of the echo model to the official client as %s',
      async (format) => {
        const { audio } = contract.client({ apiKey: await audioKey() });
        const asked = { file: await toFile(Buffer.from('RIFF'), 'a.wav'), model: 'echo', response_format: format };
        const answer: unknown = await audio.translations.create(asked);
        const text = typeof answer === 'string' ? answer : (answer as { text: string }).text;
        expect(text).toContain('Hello from the echo model.');
      },
    );

    test('reach an OpenAI provider byte by byte at its path, and have svc', async () => {
      const parts = asking({ later: 'é' });
      const { status, json } = await post(parts, await audioKey());
      expect([status, json.text, contract.sent.path]).toEqual([
        200,
        'Good evening. All is well here.',
        '/v1/audio/translations',
      ]);
      expect(contract.sent.bytes.toString('latin1')).toBe(writtenForm(parts, BOUNDARY).toString('latin1'));
      expect(json.svc.coverage).toMatchObject({ input: ['file.filename', 'later'], skipped: ['file: audio'] });
    });

    test('are inspected in both directions', async () => {
      const key = await audioKey();
      const before = contract.upstream.requests.length;
      expectError(await post(asking({ prompt: `A call. ${BLOCK}` }), key), 'content_filter', 'prompt');
      expect(contract.upstream.requests).toHaveLength(before);
      contract.upstream.next({ text: `The token is ${GITHUB_TOKEN}` });
      const plain = await post(asking({ response_format: 'text' }), key);
      expect(plain.text).toMatch(/^The token is \[REDACTED_\w+\]\n$/);
      expect(plain.headers.get('x-svc-action')).toBe('redact');
    });

    test.each([
      ['response_format', asking({ response_format: 'diarized_json' })],
      ['stream', asking({ stream: 'true' })],
      ['file', [field('model', 'whisper-1')]],
      ['model', asking({}, 'claude-sonnet-4-5')],
      ['notes', [...asking(), file('a', 'b.txt', 'notes[]')]],
    ])('a form without a good %s is a 400', async (param, parts) => {
      const { status, json } = await post(parts, await audioKey());
      expect([status, json.error.param]).toEqual([400, param]);
    });

    test('need the permission for audio, reserve tokens by the size of the file, and are recorded', async () => {
      expectError(await post(asking(), await keyFor(['images'])), 'insufficient_permissions');
      const limited = await audioKey({ tokenLimit: { tokens: 1_000, period: 'month' } });
      expectError(
        await post([field('model', 'whisper-1'), file(Buffer.alloc(60_000))], limited),
        'invalid_value',
        'file',
      );
      const { id, key } = await contract.createKey({ permissions: ['audio'] });
      await post(asking(), key);
      const { json } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${id}`),
        (reply) => reply.json.data.length > 0,
      );
      expect(json.data[0]).toMatchObject({ route: '/v1/audio/translations', tokens: { input: 14, output: 8 } });
    });
  });
}
