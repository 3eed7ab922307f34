import { createOpenAI } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateImage, experimental_generateSpeech as generateSpeech } from 'ai';
import OpenAI, { toFile } from 'openai';
import { Contract } from '../contract/contract.ts';
import { SPOKEN } from '../support/mock-upstream/openai-media-answer.ts';
import { startService } from './start-service.ts';

/** Images and audio of OpenAI's API, by base URL and key alone. */
const contract = new Contract(startService, {});
let apiKey: string;
beforeAll(async () => {
  await contract.start();
  apiKey = await contract.newKey({ permissions: ['images', 'audio'] });
});
afterAll(() => contract.stop());

const BLOCKED = 'SVC-TEST-BLOCK-7f3a';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]);
const png = (name: string) => toFile(PNG, name, { type: 'image/png' });
const wav = () => toFile(Buffer.from([0x52, 0x49, 0x46, 0x46, 0, 0xff]), 'call.wav', { type: 'audio/wav' });

describe("OpenAI's SDK", () => {
  const client = () => new OpenAI({ apiKey, baseURL: contract.service.baseUrl, maxRetries: 0 });

  test('edits an image, several, and one with a mask, whole and streamed', async () => {
    const { images } = client();
    const asked = { model: 'gpt-image-1', prompt: 'Add a boat' };
    const { data } = await images.edit({ ...asked, image: await png('a.png'), mask: await png('mask.png') });
    expect(Buffer.from(data?.[0]?.b64_json ?? '', 'base64').length).toBeGreaterThan(0);
    const image = [await png('a.png'), await png('b.png')];
    expect((await images.edit({ prompt: 'Add a boat', image })).data).toHaveLength(1);
    expect(contract.sent.body).toContain('gpt-image-1.5');
    const types: string[] = [];
    for await (const { type } of await images.edit({ ...asked, image, stream: true, partial_images: 1 }))
      types.push(type);
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });

  test.each(['mp3', 'wav', 'pcm'] as const)('gets speech as %s byte by byte', async (format) => {
    const create = { model: 'tts-1', voice: 'alloy', input: 'Good evening', response_format: format };
    const response = await client().audio.speech.create(create);
    expect(Buffer.from(await response.arrayBuffer()).equals(SPOKEN)).toBe(true);
    expect(response.headers.get('x-svc-action')).toBe('allow');
  });

  test('gets speech as events', async () => {
    const create = { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'Good evening', stream_format: 'sse' as const };
    const text = await (await client().audio.speech.create(create)).text();
    const events = text
      .split('\n\n')
      .flatMap((event) => (event === '' ? [] : [JSON.parse(event.slice('data: '.length))]));
    const bytes = Buffer.concat(events.flatMap(({ audio }) => (audio ? [Buffer.from(audio, 'base64')] : [])));
    expect([bytes.equals(SPOKEN), events.at(-1).type]).toEqual([true, 'speech.audio.done']);
  });

  test('gets the error of speech that breaks off, and of a blocked input', async () => {
    const create = { model: 'tts-1', voice: 'alloy', input: 'Good evening' };
    contract.upstream.next({ failure: 'reset-mid-stream', afterChunks: 1 });
    const response = await client().audio.speech.create(create);
    await expect(response.arrayBuffer()).rejects.toThrow();
    const blocked = client().audio.speech.create({ ...create, input: `Well. ${BLOCKED}` });
    await expect(blocked).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'input' });
  });

  test('translates audio, as JSON and as text', async () => {
    const { translations } = client().audio;
    const asked = { model: 'whisper-1', file: await wav() };
    expect((await translations.create(asked)).text).toBe('Good evening. All is well here.');
    expect(await translations.create({ ...asked, response_format: 'srt' })).toContain('-->');
  });
});

describe("Vercel's AI SDK", () => {
  const openai = () => createOpenAI({ baseURL: contract.service.baseUrl, apiKey });

  test('gets speech', async () => {
    const { audio } = await generateSpeech({ model: openai().speech('tts-1'), text: 'Good evening', maxRetries: 0 });
    expect([Buffer.from(audio.uint8Array).equals(SPOKEN), audio.mediaType]).toEqual([true, 'audio/mp3']);
  });

  test('edits an image', async () => {
    const { images } = await generateImage({
      model: openai().image('gpt-image-1'),
      prompt: { text: 'Add a boat', images: [PNG] },
      maxRetries: 0,
    });
    expect([images.length, contract.sent.path]).toEqual([1, '/v1/images/edits']);
  });
});
