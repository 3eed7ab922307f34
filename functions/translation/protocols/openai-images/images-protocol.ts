import * as z from 'zod';
import { securityInfoSchema } from '../../../kernel/model/index.ts';
import { openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { checkBody } from '../bodies/request-body.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { hasOtherSize, uncountedOutputField } from '../bodies/token-bounds.ts';
import { kindByStreamField, type Protocol } from '../protocol.ts';
import { IMAGES_FRAMING, ImagesResponseFormat } from './images-response-format.ts';

/** OpenAI's default model. */
export const DEFAULT_IMAGE_MODEL = 'dall-e-2';

/** The fields of an images request that the gateway reads; every other field passes unchanged. */
export const imagesRequestSchema = z
  .looseObject({
    model: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .meta({ description: `\`${DEFAULT_IMAGE_MODEL}\` by default, as at OpenAI.` }),
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
/** What determines the tokens of the images. */
export type ImageSettings = Pick<ImagesRequest, 'n' | 'size' | 'quality' | 'partial_images'>;

const IMAGES_PLACES = new Places({
  fixed: 'background moderation output_format quality response_format size style type id',
  free: 'metadata',
});

/** OpenAI's images API. The prompt and the revised prompt are inspected; images are not. */
export const IMAGES_PROTOCOL: Protocol<ImagesRequest> = {
  operation: 'openai-images',
  framing: IMAGES_FRAMING,
  responseKind: kindByStreamField,
  check: (document) => checkBody(imagesRequestSchema, document, IMAGES_PLACES),
  read: ({ model, prompt, stream }) => ({
    model: model ?? DEFAULT_IMAGE_MODEL,
    messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }],
    stream: stream ?? false,
    includeUsage: true,
    choiceCount: 0,
    others: [],
  }),
  *texts({ model: _, ...rest }) {
    const reader = new RequestTextReader(IMAGES_PLACES);
    yield* reader.read(rest, [], outsideMessages('user'));
    return { texts: reader.texts, skipped: [] };
  },
  covered: (_, texts) => fieldsOutsideMessages(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ model: _, ...rest }) => Buffer.byteLength(JSON.stringify(rest)),
  boundOutputTokens: (body, model) => boundImageTokens(boundedSettings(body, body), model),
  unseenUsage: (body, model) => ({ outputTokens: boundImageTokens(boundedSettings(body, body), model) }),
  uncountedOutput: (value) => uncountedOutputField(value, ['n']),
  fieldNames: () => ({ maxOutputTokens: 'n', input: 'prompt' }),
  furtherModels: (value) => furtherModels(value, IMAGES_PLACES),
  namedIds: openAiIds(IMAGES_PLACES),
  format: () => new ImagesResponseFormat(),
};

/** The settings that bound the images of a body. A size that is set in another way too is not known. */
export function boundedSettings(settings: ImageSettings, body: unknown): ImageSettings {
  return hasOtherSize(body) ? { ...settings, size: undefined } : settings;
}

/** Pixels per side of a cell, by quality. The tokens that OpenAI lists for gpt-image-1 are one per cell plus one per row. */
const CELL: Readonly<Record<string, number>> = { low: 64, medium: 32, high: 16 };
/** Tokens along the longer side in gpt-image-2, by quality. */
const AXIS: Readonly<Record<string, number>> = { low: 16, medium: 48, high: 96 };
const AREA_OFFSET = 2_000_000;
const AREA_SCALE = 4_000_000;
/** The largest image of gpt-image-2, in pixels. */
const MOST_PIXELS = 8_294_400;
/** The most expensive of gpt-image-1: 1024x1536, high. */
const MOST_CELLS = 6_240;
/** Tokens of each partial image (OpenAI's image generation guide). */
const PER_PARTIAL = 100;
/** Text that a model may add; OpenAI documents no bound. */
const FOR_TEXT = 1_000;

/**
 * An upper bound on the output tokens of an images request: for gpt-image models by size and quality, where `auto` counts as the most
 * expensive; for an unknown model the most expensive of all. DALL-E reports no tokens, and the echo provider one for each image.
 *
 * Sources: https://platform.openai.com/docs/guides/image-generation (gpt-image-1: 272 to 6,240 tokens);
 * https://community.openai.com/t/gpt-image-2-output-pricing-calculator-online-and-in-your-code/1382699 (values of OpenAI's calculator:
 * 7,024 tokens for 1024x1024, high).
 */
export function boundImageTokens({ n, size, quality, partial_images }: ImageSettings, model: string): number {
  const count = n ?? 1;
  if (model === 'echo') return count;
  if (/^dall-e-/.test(model)) return 0;
  const isOlder = /^(?:gpt-image-1|chatgpt-image)/.test(model);
  const each = isOlder ? byCells(size, quality) : byArea(size, quality);
  return count * (each + FOR_TEXT + PER_PARTIAL * (partial_images ?? 0));
}

function byCells(size: string | null | undefined, quality: string | null | undefined): number {
  const sides = sidesOf(size);
  if (sides === undefined) return MOST_CELLS;
  const cell = CELL[quality ?? ''] ?? (CELL.high as number);
  const rows = Math.ceil(sides.height / cell);
  return rows * Math.ceil(sides.width / cell) + rows;
}

function byArea(size: string | null | undefined, quality: string | null | undefined): number {
  const axis = AXIS[quality ?? ''] ?? (AXIS.high as number);
  const { width, height } = sidesOf(size) ?? { width: Math.sqrt(MOST_PIXELS), height: Math.sqrt(MOST_PIXELS) };
  const short = Math.round((axis * Math.min(width, height)) / Math.max(width, height));
  return Math.ceil((axis * short * (AREA_OFFSET + width * height)) / AREA_SCALE);
}

function sidesOf(size: string | null | undefined): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size ?? '') ?? [];
  const sides = { width: Number(width), height: Number(height) };
  return sides.width > 0 && sides.height > 0 ? sides : undefined;
}

const tokenUsage = z.looseObject({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  total_tokens: z.int().min(0),
});

export const imagesSchema = z
  .looseObject({
    created: z.int().meta({ description: 'Unix seconds.' }),
    data: z
      .array(
        z.looseObject({
          b64_json: z.string().optional(),
          url: z.string().optional(),
          revised_prompt: z.string().optional(),
        }),
      )
      .meta({ description: 'Empty if the policy blocked the revised prompt.' }),
    usage: tokenUsage.optional(),
    svc: securityInfoSchema,
  })
  .meta({ id: 'Images', description: 'Images, as data or URLs.' });

export const imageEventSchema = z
  .looseObject({
    type: z.enum([
      'image_generation.partial_image',
      'image_generation.completed',
      'image_edit.partial_image',
      'image_edit.completed',
      'error',
    ]),
    b64_json: z.string().optional(),
    partial_image_index: z.int().min(0).optional(),
    usage: tokenUsage.optional(),
    svc: securityInfoSchema.optional().meta({ description: 'In the event that completes an image.' }),
  })
  .meta({ id: 'ImageEvent', description: 'The data of one event of an image stream.' });
