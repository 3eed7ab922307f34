import { describe, expect, it } from '@jest/globals';
import { boundImageTokens, IMAGES_PROTOCOL } from './images-protocol.ts';

const bound = (model: string, fields: object = {}) => boundImageTokens({ ...fields }, model);
/** Tokens counted beside each image. */
const AROUND = 1_000;

describe('the output token bound of images', () => {
  // https://platform.openai.com/docs/guides/image-generation#cost-and-latency
  it.each([
    ['low', '1024x1024', 272],
    ['low', '1024x1536', 408],
    ['low', '1536x1024', 400],
    ['medium', '1024x1024', 1_056],
    ['medium', '1024x1536', 1_584],
    ['medium', '1536x1024', 1_568],
    ['high', '1024x1024', 4_160],
    ['high', '1024x1536', 6_240],
    ['high', '1536x1024', 6_208],
  ])('of gpt-image-1, %s, %s matches the list of OpenAI', (quality, size, tokens) => {
    expect(bound('gpt-image-1', { quality, size })).toBe(tokens + AROUND);
    for (const auto of [{ quality }, { size }, {}, { quality: 'auto', size: 'auto' }])
      expect(bound('gpt-image-1', auto)).toBeGreaterThanOrEqual(tokens + AROUND);
  });

  // https://community.openai.com/t/livestream-starting-now-chatgpt-images-2-0/1379464?page=2
  it.each([
    ['1024x1024', 7_024],
    ['1536x1024', 5_488],
    ['1792x1024', 5_063],
    ['3584x2048', 12_329],
  ])("of gpt-image-2, high, %s matches OpenAI's calculator", (size, tokens) => {
    expect(bound('gpt-image-2', { quality: 'high', size })).toBe(tokens + AROUND);
    expect(bound('gpt-image-2')).toBeGreaterThanOrEqual(tokens + AROUND);
  });

  it.each([{ width: 4_096 }, { extra_body: { size: '4096x4096' } }, { aspect_ratio: '16:9' }, { imageSize: '4k' }])(
    'is that of any size where another member sets it: %j',
    (more) => {
      const body = { model: 'm', prompt: 'a', size: '64x64' };
      const of = (one: object) => IMAGES_PROTOCOL.boundOutputTokens?.({ ...body, ...one }, 'flux', undefined);
      expect(of({})).toBeLessThan(of(more) as number);
      expect(of(more)).toBe(bound('flux'));
    },
  );

  it('grows with the number of images, partial images included', () => {
    const one = bound('gpt-image-1-mini', { quality: 'low', size: '1024x1024' });
    expect(bound('gpt-image-1-mini', { quality: 'low', size: '1024x1024', n: 3, partial_images: 2 })).toBe(
      3 * (one + 200),
    );
  });

  it('is zero for a model without token counts, and the largest for an unknown model', () => {
    expect([bound('dall-e-3', { quality: 'hd' }), bound('echo', { n: 4 })]).toEqual([0, 4]);
    expect(bound('flux-pro', { size: 'large' })).toBe(bound('gpt-image-2'));
  });
});
