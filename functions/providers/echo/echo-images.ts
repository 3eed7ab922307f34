import type { ImagesRequest } from '../../core/protocols/openai-images/images-protocol.ts';
import type { ChatAnswer } from '../../core/routing/provider.ts';

/** A PNG of one grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNoaGgAAAMEAYF1LgG8AAAAAElFTkSuQmCC';
/** What each picture counts as. */
const TOKENS_AN_IMAGE = 1;
const FORM = { background: 'opaque', output_format: 'png', quality: 'low', size: '1x1' };

/** The same tiny picture for every prompt, as often as it is asked for; by its address that is a data URL. */
export function echoImages(
  { n, stream, partial_images: partial, response_format: format }: ImagesRequest,
  inputTokens: number,
): ChatAnswer {
  const count = n ?? 1;
  const created = Math.floor(Date.now() / 1000);
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { text_tokens: inputTokens, image_tokens: 0 },
    output_tokens: TOKENS_AN_IMAGE * count,
    total_tokens: inputTokens + TOKENS_AN_IMAGE * count,
  };
  if (stream) return { kind: 'native-stream', chunks: events(count, partial ?? 0, created, usage) };
  const image = format === 'url' ? { url: `data:image/png;base64,${PICTURE}` } : { b64_json: PICTURE };
  return { kind: 'native', body: JSON.stringify({ created, ...FORM, data: Array(count).fill(image), usage }) };
}

async function* events(
  count: number,
  partial: number,
  created_at: number,
  usage: { readonly input_tokens: number },
): AsyncGenerator<string[]> {
  const event = (type: string, rest: object) =>
    JSON.stringify({ type: `image_generation.${type}`, b64_json: PICTURE, created_at, ...FORM, ...rest });
  for (let index = 0; index < partial; index += 1) yield [event('partial_image', { partial_image_index: index })];
  // The last tells the count of all.
  for (let index = 1; index <= count; index += 1) yield [event('completed', index === count ? { usage } : {})];
}
