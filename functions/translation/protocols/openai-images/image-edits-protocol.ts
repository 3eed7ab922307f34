import * as z from 'zod';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { RequestTexts, Skipped } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { formFile, formModel, refuseOtherFiles } from '../bodies/form-fields.ts';
import { openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { checkBody } from '../bodies/request-body.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { uncountedOutputField } from '../bodies/token-bounds.ts';
import type { Protocol } from '../protocol.ts';
import { editSettings } from './edit-settings.ts';
import { boundedSettings, boundImageTokens, imagesRequestSchema } from './images-protocol.ts';
import { IMAGES_FRAMING, ImagesResponseFormat } from './images-response-format.ts';

/** OpenAI's default model for edits. */
export const DEFAULT_EDIT_MODEL = 'gpt-image-1.5';
const MAX_IMAGES = 16;

const { n: _n, stream: _s, partial_images: _p, ...shared } = imagesRequestSchema.shape;

/** The fields of a form that the gateway reads; every other field passes unchanged. */
const editFormSchema = z
  .looseObject({
    image: z.union([formFile, z.array(formFile).min(1).max(MAX_IMAGES)], 'must be a file, or several as `image[]`'),
    mask: formFile.optional(),
    model: formModel.optional(),
    prompt: shared.prompt,
    n: z
      .string()
      .regex(/^(?:[1-9]|10)$/, 'must be a number from 1 to 10')
      .optional(),
    size: z.string().optional(),
    quality: z.string().optional(),
    response_format: z.enum(['url', 'b64_json']).optional(),
    stream: z.enum(['true', 'false']).optional(),
    partial_images: z
      .string()
      .regex(/^[0-3]$/, 'must be a number from 0 to 3')
      .optional(),
    user: z.string().optional(),
  })
  .superRefine(refuseOtherFiles(['image', 'mask']));

/** An image by its address or data, or an uploaded file. */
const imageReference = z
  .looseObject({ image_url: z.string().min(1).optional(), file_id: z.string().min(1).optional() })
  .refine(
    (value) => (value.image_url === undefined) !== (value.file_id === undefined),
    'needs either `image_url` or `file_id`',
  );

/** The fields of a JSON body that the gateway reads; every other field passes unchanged. */
export const imageEditsRequestSchema = imagesRequestSchema
  .extend({
    model: shared.model.meta({ description: `\`${DEFAULT_EDIT_MODEL}\` by default, as at OpenAI.` }),
    images: z.array(imageReference).min(1).max(MAX_IMAGES),
    mask: imageReference.nullish(),
  })
  .meta({ id: 'ImageEditsRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type ImageEditsRequest = z.infer<typeof editFormSchema> | z.infer<typeof imageEditsRequestSchema>;

const PLACES = new Places({
  fixed:
    'background input_fidelity moderation output_format quality response_format size style type id file_id stream n partial_images output_compression',
  names: 'filename filename*',
  media: 'images[].image_url mask.image_url',
  free: 'metadata',
});

/**
 * OpenAI's edits of images, as a form with files or as JSON with references (`EditImageBodyJsonParam` and `ImageRefParam` of
 * https://github.com/openai/openai-openapi). Prompt, file names and revised prompt are inspected; images are not.
 */
export const IMAGE_EDITS_PROTOCOL: Protocol<ImageEditsRequest> = {
  operation: 'openai-image-edits',
  framing: IMAGES_FRAMING,
  responseKind: (body) => (streamsEdit(body) ? 'events' : 'json'),
  check: (document) => checkBody(hasFiles(document.value) ? editFormSchema : imageEditsRequestSchema, document, PLACES),
  read: (body) => ({
    model: body.model ?? DEFAULT_EDIT_MODEL,
    messages: [{ role: 'user', parts: [{ type: 'text', text: body.prompt }] }],
    stream: streamsEdit(body),
    includeUsage: true,
    choiceCount: 0,
    others: [],
  }),
  texts,
  covered: (_, found) => fieldsOutsideMessages(found),
  addToPrompt: () => undefined,
  boundInputTokens: (body, _, model) => boundInput(body, model),
  boundOutputTokens: boundOutput,
  unseenUsage: (body, model) => ({
    inputTokens: boundInput(body, model),
    outputTokens: boundOutput(body, model),
  }),
  uncountedOutput: (value) => uncountedOutputField(value, ['n']),
  fieldNames: (body) => ({ maxOutputTokens: 'n', input: 'image' in body ? 'image' : 'images' }),
  furtherModels: (value) => furtherModels(value, PLACES),
  namedIds: openAiIds(PLACES),
  format: () => new ImagesResponseFormat(),
};

/** Whether a body is a form, or the capture of one. */
function hasFiles(value: unknown): boolean {
  return isObject(value) && (Object.hasOwn(value, 'image') || !Object.hasOwn(value, 'images'));
}

function streamsEdit(body: unknown): boolean {
  const { stream } = (body ?? {}) as { stream?: unknown };
  return stream === true || stream === 'true';
}

function boundOutput(body: ImageEditsRequest, model: string): number {
  return boundImageTokens(boundedSettings(editSettings(body), body), model);
}

function* texts({ model: _, ...body }: ImageEditsRequest): Steps<RequestTexts> {
  const reader = new RequestTextReader(PLACES);
  const { image, mask, ...rest } = body as Record<string, unknown>;
  // A file name counts as third-party text: the file may come from anywhere.
  yield* reader.read({ image }, [], outsideMessages('tool'));
  yield* reader.read({ mask }, [], outsideMessages('tool'));
  yield* reader.read(rest, [], outsideMessages('user'));
  return { texts: reader.texts, skipped: imagesOf(body).map((path): Skipped => ({ path, what: 'image' })) };
}

/** The paths of the input images. */
function imagesOf({ mask, ...body }: Omit<ImageEditsRequest, 'model'>): JsonPath[] {
  const field = 'image' in body ? 'image' : 'images';
  const images = (body as Record<string, unknown>)[field];
  const paths: JsonPath[] = Array.isArray(images) ? images.map((_, at) => [field, at]) : [[field]];
  return mask == null ? paths : [...paths, ['mask']];
}

/** With high fidelity, OpenAI's models read up to 6,240 tokens an image besides a few hundred for its tiles. */
const PER_INPUT_IMAGE = 10_000;

/**
 * An upper bound on the input tokens. DALL-E and the echo provider count none for images.
 * Source: https://platform.openai.com/docs/guides/image-generation and https://platform.openai.com/docs/guides/images-vision
 */
function boundInput({ model: _, ...rest }: ImageEditsRequest, model: string): number {
  const { images, mask: __, ...others } = rest as Record<string, unknown>;
  const count = model === 'echo' || /^dall-e-/.test(model) ? 0 : imagesOf(rest as ImageEditsRequest).length;
  return count * PER_INPUT_IMAGE + Buffer.byteLength(JSON.stringify(others));
}
