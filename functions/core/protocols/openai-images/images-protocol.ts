import * as z from 'zod';
import { utf8Length } from '../../json/utf8-length.ts';
import { checkBody } from '../check-body.ts';
import { furtherModels } from '../further-models.ts';
import { Places } from '../places.ts';
import { fieldsBeside } from '../prompt-texts.ts';
import type { Protocol } from '../protocol.ts';
import { namedInOpenAi } from '../provider-ids.ts';
import { beside, RequestTextReader } from '../request-texts.ts';
import { boundImageTokens } from './image-tokens.ts';
import { ImagesAnswerFormat } from './images-answer-format.ts';

/** What OpenAI takes where a request names no model. */
export const DEFAULT_IMAGE_MODEL = 'dall-e-2';

/** What the gateway needs to know of a request for images; every other field passes untouched. */
export const imagesRequestSchema = z
  .looseObject({
    model: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .meta({ description: `\`${DEFAULT_IMAGE_MODEL}\` where absent, as at OpenAI.` }),
    prompt: z.string().min(1).max(32_000),
    n: z.int().min(1).max(10).nullish(),
    size: z.string().nullish(),
    quality: z.string().nullish(),
    response_format: z.enum(['url', 'b64_json']).nullish(),
    stream: z.boolean().nullish(),
    partial_images: z.int().min(0).max(3).nullish(),
    user: z.string().nullish(),
  })
  .meta({ id: 'ImagesRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type ImagesRequest = z.infer<typeof imagesRequestSchema>;

const IMAGES_PLACES = new Places({
  fixed: 'background moderation output_format quality response_format size style type id',
  free: 'metadata',
});

/** OpenAI's images of a prompt. The prompt is judged, and so is how the model revised it; pictures are not. */
export const IMAGES_PROTOCOL: Protocol<ImagesRequest> = {
  name: 'openai-images',
  check: (document) => checkBody(imagesRequestSchema, document, IMAGES_PLACES),
  read: ({ model, prompt, stream, user }) => ({
    model: model ?? DEFAULT_IMAGE_MODEL,
    messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }],
    stream: stream ?? false,
    includeUsage: true,
    choiceCount: 0,
    extra: {},
    ...(typeof user === 'string' && { endUser: user }),
  }),
  texts: ({ model: _, ...rest }) => {
    const reader = new RequestTextReader(IMAGES_PLACES);
    reader.read(rest, [], beside('user'));
    return { texts: reader.texts, skipped: [] };
  },
  covered: (_, texts) => fieldsBeside(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ model: _, ...rest }) => utf8Length(JSON.stringify(rest)),
  boundOutputTokens: boundImageTokens,
  cutOffUsage: (body, model) => ({ outputTokens: boundImageTokens(body, model) }),
  fieldNames: () => ({ maxOutputTokens: 'n', input: 'prompt' }),
  furtherModels: (value) => furtherModels(value, IMAGES_PLACES),
  namedIds: namedInOpenAi,
  format: () => new ImagesAnswerFormat(),
};
