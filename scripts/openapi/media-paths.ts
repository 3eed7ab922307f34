import {
  DEFAULT_EDIT_MODEL,
  imageEditsRequestSchema,
} from '../../functions/core/protocols/openai-images/image-edits-protocol.ts';
import {
  imageEventSchema,
  imagesRequestSchema,
  imagesSchema,
} from '../../functions/core/protocols/openai-images/images-protocol.ts';
import {
  speechEventSchema,
  speechRequestSchema,
} from '../../functions/core/protocols/openai-speech/speech-protocol.ts';
import {
  transcriptEventSchema,
  transcriptSchema,
} from '../../functions/core/protocols/openai-transcriptions/transcriptions-protocol.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, GENERATION_ERRORS, jsonBody, trackingHeaders } from './operations.ts';
import { chatResponse, errorResponses, PASSED_ON, withHeaders } from './responses.ts';

/** All fields of a form are text. */
const text = (description: string): Json => ({ type: 'string', description });

const TRANSCRIPTION_FORM: Json = {
  type: 'object',
  required: ['file', 'model'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description: 'The audio. Its file name is inspected, its content is not.',
    },
    model: text('1 to 256 characters without control characters.'),
    prompt: text('Inspected.'),
    language: text('At most 64 characters.'),
    response_format: { type: 'string', enum: ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] },
    stream: { type: 'string', enum: ['true', 'false'] },
    temperature: text('A number from 0 to 1.'),
  },
  additionalProperties: {
    description: 'Inspected and forwarded. Only names that end in `[]` may be repeated.',
  },
};

const TRANSLATION_FORM: Json = {
  ...TRANSCRIPTION_FORM,
  properties: {
    ...Object.fromEntries(
      Object.entries(TRANSCRIPTION_FORM.properties as Json).filter(([name]) => !['language', 'stream'].includes(name)),
    ),
    response_format: { type: 'string', enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'] },
  },
};

const picture = (description: string): Json => ({ type: 'string', format: 'binary', description });

const EDIT_FORM: Json = {
  type: 'object',
  required: ['image', 'prompt'],
  properties: {
    image: picture('The image, or up to 16 as `image[]`. File names are inspected, images are not.'),
    mask: picture('Marks what to edit.'),
    model: text(`\`${DEFAULT_EDIT_MODEL}\` by default, as at OpenAI.`),
    prompt: text('1 to 32,000 characters; inspected.'),
    n: text('A number from 1 to 10.'),
    size: text('As at OpenAI.'),
    quality: text('As at OpenAI.'),
    response_format: { type: 'string', enum: ['url', 'b64_json'] },
    stream: { type: 'string', enum: ['true', 'false'] },
    partial_images: text('A number from 0 to 3.'),
    user: text('Inspected.'),
  },
  additionalProperties: TRANSCRIPTION_FORM.additionalProperties,
};

const shared = { security: anyKey(), parameters: trackingHeaders() };
const failures = { ...errorResponses(GENERATION_ERRORS, true), '4XX': PASSED_ON };
const transcript = chatResponse(
  schemaRef(transcriptSchema),
  schemaRef(transcriptEventSchema),
  { whole: examples.transcript, stream: examples.transcriptStream },
  { what: 'A transcript', end: 'the last is `transcript.text.done`, with `svc`' },
);
const plain = {
  schema: { type: 'string', description: 'For `text`, `srt` and `vtt`; headers replace `svc`.' },
  example: 'Hello from the echo model.\n',
};

const speech = chatResponse(
  {},
  schemaRef(speechEventSchema),
  { whole: undefined, stream: examples.speechStream },
  { what: 'Speech', end: 'the last is `speech.audio.done`, with `svc`' },
);

/** Images and audio. */
export const MEDIA_PATHS: Readonly<Record<string, Json>> = {
  '/v1/images/generations': {
    post: {
      operationId: 'createImages',
      tags: ['Images'],
      summary: 'Create images from a prompt',
      description:
        'Inspects the prompt and the revised prompt. Images are not inspected; `coverage.skipped` lists them. Needs the permission `images`.',
      ...shared,
      requestBody: jsonBody(schemaRef(imagesRequestSchema), { prompt: { value: examples.imagesRequest } }),
      responses: {
        200: chatResponse(
          schemaRef(imagesSchema),
          schemaRef(imageEventSchema),
          { whole: examples.images, stream: examples.imagesStream },
          { what: 'The images', end: 'the last is `image_generation.completed`, with `svc`' },
        ),
        ...failures,
      },
    },
  },
  '/v1/images/edits': {
    post: {
      operationId: 'createImageEdits',
      tags: ['Images'],
      summary: 'Edit images by a prompt',
      description:
        'Takes a form with files, or JSON with references. Inspects the prompt, file names and the revised prompt. Images are not inspected; `coverage.skipped` lists them. Needs the permission `images`.',
      ...shared,
      requestBody: {
        required: true,
        content: {
          ...(jsonBody(schemaRef(imageEditsRequestSchema), { prompt: { value: examples.imageEditsRequest } })
            .content as Json),
          'multipart/form-data': { schema: EDIT_FORM },
        },
      },
      responses: {
        200: chatResponse(
          schemaRef(imagesSchema),
          schemaRef(imageEventSchema),
          { whole: examples.editedImages, stream: examples.imageEditsStream },
          { what: 'The images', end: 'the last is `image_edit.completed`, with `svc`' },
        ),
        ...failures,
      },
    },
  },
  '/v1/audio/speech': {
    post: {
      operationId: 'createSpeech',
      tags: ['Audio'],
      summary: 'Create speech from a text',
      description:
        'Inspects `input` and `instructions` before the call. The audio is not inspected. Needs the permission `audio`.',
      ...shared,
      requestBody: jsonBody(schemaRef(speechRequestSchema), { text: { value: examples.speechRequest } }),
      responses: {
        200: withHeaders(
          {
            ...speech,
            description:
              'The audio as it comes; a failure after the status breaks the connection off. With `stream_format: "sse"` an event stream, in which a failure is an error event.',
            content: {
              'audio/*': { schema: { type: 'string', format: 'binary', description: 'Headers replace `svc`.' } },
              'text/event-stream': (speech.content as Json)['text/event-stream'],
            },
          },
          ['X-Svc-Action', 'X-Svc-Threats'],
        ),
        ...failures,
      },
    },
  },
  '/v1/audio/translations': {
    post: {
      operationId: 'createTranslation',
      tags: ['Audio'],
      summary: 'Translate audio into English',
      description:
        'Inspects the prompt, the file name and the translation, also for instructions to later readers. The audio is not inspected. Needs the permission `audio`.',
      ...shared,
      requestBody: { required: true, content: { 'multipart/form-data': { schema: TRANSLATION_FORM } } },
      responses: {
        200: withHeaders(
          {
            ...transcript,
            description: 'The translation.',
            content: { 'application/json': (transcript.content as Json)['application/json'], 'text/plain': plain },
          },
          ['X-Svc-Action', 'X-Svc-Threats'],
        ),
        ...failures,
      },
    },
  },
  '/v1/audio/transcriptions': {
    post: {
      operationId: 'createTranscription',
      tags: ['Audio'],
      summary: 'Transcribe audio',
      description:
        'Inspects the prompt, the file name and the transcript, also for instructions to later readers. The audio is not inspected. Needs the permission `audio`.',
      ...shared,
      requestBody: { required: true, content: { 'multipart/form-data': { schema: TRANSCRIPTION_FORM } } },
      responses: {
        200: withHeaders({ ...transcript, content: { ...(transcript.content as Json), 'text/plain': plain } }, [
          'X-Svc-Action',
          'X-Svc-Threats',
        ]),
        ...failures,
      },
    },
  },
};
