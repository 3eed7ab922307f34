import {
  imageEventSchema,
  imagesRequestSchema,
  imagesSchema,
} from '../../functions/core/protocols/openai-images/images-protocol.ts';
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
