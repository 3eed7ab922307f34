import { describe, expect, it } from '@jest/globals';
import type { SecurityInfo } from '../../../kernel/model/index.ts';
import { IMAGES_FRAMING, ImagesResponseFormat } from './images-response-format.ts';

const SVC = { action: 'allow' } as unknown as SecurityInfo;
const read = (body: object) => new ImagesResponseFormat().readPiece(JSON.stringify(body));

describe('an images response', () => {
  it('is read wherever it contains text, and not where it contains an image', () => {
    const { slots, skipped } = read({
      created: 1,
      size: '1024x1024',
      data: [
        { b64_json: 'AAAA', revised_prompt: 'a sea' },
        { url: 'https://x.example/a.png', later: { hint: 'b' } },
      ],
      note: 'c d',
    });
    expect(slots.map(({ channel, text }) => [channel, text])).toEqual([
      ['data[0].revised_prompt', 'a sea'],
      ['data[1].later.hint', 'b'],
      ['note', 'c d'],
    ]);
    expect(skipped).toEqual(['data[0].b64_json: image', 'data[1].url: image']);
  });

  it('has the usage that was reported, and none if none was', () => {
    expect(read({ data: [], usage: { input_tokens: 3, output_tokens: 5 } }).usage).toEqual({
      inputTokens: 3,
      outputTokens: 5,
    });
    for (const usage of [undefined, null, {}, { input_tokens: -1, output_tokens: 1 }, { input_tokens: 1 }])
      expect(read({ data: [], usage }).usage).toBeUndefined();
  });

  it.each([{}, { error: { message: 'no' } }, { type: 'error', error: {} }, { type: 'error' }])(
    'is invalid: %j',
    (body) => expect(read(body).fault).toBeDefined(),
  );

  it('has svc in the event that completes it, and names every event', () => {
    const format = new ImagesResponseFormat();
    const release = (event: object) => format.release(format.readPiece(JSON.stringify(event)), false, () => SVC) ?? '';
    const partial = release({ type: 'image_generation.partial_image', b64_json: 'AAAA' });
    expect([format.ended, IMAGES_FRAMING.event(partial)]).toEqual([
      false,
      'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"AAAA"}\n\n',
    ]);
    const completed = release({ b64_json: 'AAAA', type: 'image_generation.completed' });
    expect([format.ended, IMAGES_FRAMING.event(completed)]).toEqual([
      true,
      'event: image_generation.completed\ndata: {"b64_json":"AAAA","type":"image_generation.completed","svc":{"action":"allow"}}\n\n',
    ]);
    expect(IMAGES_FRAMING.event('{"error":{"type":"provider_error"}}')).toBe(
      'data: {"error":{"type":"provider_error"}}\n\n',
    );
  });
});
