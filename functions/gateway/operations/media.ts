import * as z from 'zod';
import { defineOperations, type OperationSchemas } from '../../contract/index.ts';
import { loadSchemas } from '../../translation/index.ts';
import { CREATED, dataStream, namedStream, svcOf } from './examples.ts';
import { type GatewayOperations, GENERATION_ERRORS } from './gateway-operation.ts';

/** OpenAI's APIs of images and audio. */
export const mediaOperations = defineOperations({
  createImages: {
    method: 'POST',
    path: '/v1/images/generations',
    tag: 'Images',
    summary: 'Create images from a prompt',
    description: 'Inspects the prompt and the revised prompt. Images are not inspected; `coverage.skipped` lists them.',
    access: 'images',
    operation: 'openai-images',
    async schemas() {
      const { request, response, event } = await loadSchemas('openai-images');
      return {
        body: { schema: request, examples: { prompt: { value: imagesRequest } } },
        response: {
          description: 'The images.',
          body: response,
          example: images(['data[0].b64_json: image']),
          stream: {
            event,
            example: namedStream([imageEvent('image_generation.completed')]),
            end: 'the last is `image_generation.completed`, with `svc`',
          },
        },
        errors: GENERATION_ERRORS,
      };
    },
  },
  createImageEdits: {
    method: 'POST',
    path: '/v1/images/edits',
    tag: 'Images',
    summary: 'Edit images by a prompt',
    description:
      'Takes a form with files, or JSON with references. Inspects the prompt, file names and the revised prompt. Images are not inspected; `coverage.skipped` lists them.',
    access: 'images',
    operation: 'openai-image-edits',
    reads: 'form or JSON',
    schemas: imageEditSchemas,
  },
  createTranscription: {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    tag: 'Audio',
    summary: 'Transcribe audio',
    description:
      'Inspects the prompt, the file name and the transcript, also for instructions to later readers. The audio is not inspected.',
    access: 'audio',
    operation: 'openai-transcriptions',
    reads: 'form',
    async schemas() {
      const response = await transcriptResponse();
      return { form: transcriptionForm(), response, errors: GENERATION_ERRORS };
    },
  },
  createTranslation: {
    method: 'POST',
    path: '/v1/audio/translations',
    tag: 'Audio',
    summary: 'Translate audio into English',
    description:
      'Inspects the prompt, the file name and the translation, also for instructions to later readers. The audio is not inspected.',
    access: 'audio',
    operation: 'openai-translations',
    reads: 'form',
    async schemas() {
      const { stream: _, ...response } = await transcriptResponse();
      const form = transcriptionForm()
        .omit({ language: true, stream: true })
        .extend({ response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).optional() });
      return { form, response: { ...response, description: 'The translation.' }, errors: GENERATION_ERRORS };
    },
  },
  createSpeech: {
    method: 'POST',
    path: '/v1/audio/speech',
    tag: 'Audio',
    summary: 'Create speech from a text',
    description: 'Inspects `input` and `instructions` before the call. The audio is not inspected.',
    access: 'audio',
    operation: 'openai-speech',
    schemas: speechSchemas,
  },
} satisfies GatewayOperations);

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNoaGgAAAMEAYF1LgG8AAAAAElFTkSuQmCC';
const pictureUsage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const imagesRequest = { model: 'echo', prompt: 'Hello' };

function images(skipped: readonly string[], input = ['prompt']) {
  const svc = svcOf({ input, output: [], skipped });
  return { created: CREATED, data: [{ b64_json: PICTURE }], usage: pictureUsage, svc };
}

function imageEvent(type: string) {
  const svc = svcOf({ input: ['prompt'], output: [], skipped: ['b64_json: image'] });
  return { type, b64_json: PICTURE, created_at: CREATED, usage: pictureUsage, svc };
}

/** All fields of a form are text. */
function text(description: string) {
  return z.string().optional().meta({ description });
}

function file(description: string) {
  return z.string().meta({ description, wire: { type: 'string', format: 'binary' } });
}

function others() {
  return z.unknown().meta({ description: 'Inspected and forwarded. Only names that end in `[]` may be repeated.' });
}

function transcriptionForm() {
  return z
    .object({
      file: file('The audio. Its file name is inspected, its content is not.'),
      model: z.string().meta({ description: '1 to 256 characters without control characters.' }),
      prompt: text('Inspected.'),
      language: text('At most 64 characters.'),
      response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']).optional(),
      stream: z.enum(['true', 'false']).optional(),
      temperature: text('A number from 0 to 1.'),
    })
    .catchall(others());
}

async function imageEditSchemas(): Promise<OperationSchemas> {
  const { request: schema, response, event, defaultModel } = await loadSchemas('openai-image-edits');
  const request = { ...imagesRequest, images: [{ image_url: `data:image/png;base64,${PICTURE}` }] };
  const form = z
    .object({
      image: file('The image, or up to 16 as `image[]`. File names are inspected, images are not.'),
      mask: file('Marks what to edit.').optional(),
      model: text(`\`${defaultModel}\` by default, as at OpenAI.`),
      prompt: z.string().meta({ description: '1 to 32,000 characters; inspected.' }),
      n: text('A number from 1 to 10.'),
      size: text('As at OpenAI.'),
      quality: text('As at OpenAI.'),
      response_format: z.enum(['url', 'b64_json']).optional(),
      stream: z.enum(['true', 'false']).optional(),
      partial_images: text('A number from 0 to 3.'),
      user: text('Inspected.'),
    })
    .catchall(others());
  return {
    body: { schema, examples: { prompt: { value: request } } },
    form,
    response: {
      description: 'The images.',
      body: response,
      example: images(['images[0]: image', 'data[0].b64_json: image'], ['prompt', 'images']),
      stream: {
        event,
        example: namedStream([imageEvent('image_edit.completed')]),
        end: 'the last is `image_edit.completed`, with `svc`',
      },
    },
    errors: GENERATION_ERRORS,
  };
}

async function transcriptResponse(): Promise<OperationSchemas['response']> {
  const { response: body, event } = await loadSchemas('openai-transcriptions');
  const usage = { type: 'tokens', input_tokens: 0, output_tokens: 6, total_tokens: 6 };
  const svc = svcOf({ input: ['file.filename'], output: ['text'], skipped: ['file: audio'] });
  const example = { text: 'Hello from the echo model.', usage, svc };
  const events = [
    { type: 'transcript.text.delta', delta: 'Hello' },
    { type: 'transcript.text.done', ...example },
  ];
  return {
    description: 'A transcript.',
    body,
    example,
    stream: {
      event,
      example: dataStream(events),
      end: 'the last is `transcript.text.done`, with `svc`',
    },
    content: {
      'text/plain': {
        schema: { type: 'string', description: 'For `text`, `srt` and `vtt`; headers replace `svc`.' },
        example: 'Hello from the echo model.\n',
      },
    },
    headers: ['X-Svc-Action', 'X-Svc-Threats'],
  };
}

async function speechSchemas(): Promise<OperationSchemas> {
  const { request, event } = await loadSchemas('openai-speech');
  const events = [
    { type: 'speech.audio.delta', audio: 'UklGRsQPAABXQVZF' },
    {
      type: 'speech.audio.done',
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      svc: svcOf({ input: ['input', 'voice'], output: [], skipped: ['audio: audio'] }),
    },
  ];
  return {
    body: {
      schema: request,
      examples: { text: { value: { model: 'echo', input: 'Hello', voice: 'alloy' } } },
    },
    response: {
      description:
        'The audio as it comes; a failure after the status breaks the connection off. With `stream_format: "sse"` an event stream, in which a failure is an error event.',
      content: {
        'audio/*': { schema: { type: 'string', format: 'binary', description: 'Headers replace `svc`.' } },
      },
      stream: {
        event,
        example: dataStream(events),
        end: 'the last is `speech.audio.done`, with `svc`',
      },
      headers: ['X-Svc-Action', 'X-Svc-Threats'],
    },
    errors: GENERATION_ERRORS,
  };
}
