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
import { chatAnswer, errorResponses, PASSED_ON, withHeaders } from './responses.ts';

/** A form's fields are texts, whatever they say. */
const text = (description: string): Json => ({ type: 'string', description });

const TRANSCRIPTION_FORM: Json = {
  type: 'object',
  required: ['file', 'model'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The audio. Its name is inspected, its bytes are not.' },
    model: text('1 to 256 characters, none of them a control character.'),
    prompt: text('Inspected.'),
    language: text('At most 64 characters.'),
    response_format: { type: 'string', enum: ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] },
    stream: { type: 'string', enum: ['true', 'false'] },
    temperature: text('A number from 0 to 1.'),
  },
  additionalProperties: {
    description: 'Passed on, inspected; a name that ends in `[]` may come again, every other comes once.',
  },
};

const shared = { security: anyKey(), parameters: trackingHeaders() };
const failures = { ...errorResponses(GENERATION_ERRORS, true), '4XX': PASSED_ON };
const transcript = chatAnswer(
  schemaRef(transcriptSchema),
  schemaRef(transcriptEventSchema),
  { whole: examples.transcript, stream: examples.transcriptStream },
  { what: 'A transcript', end: 'the last is `transcript.text.done`, with `svc`' },
);
const plain = {
  schema: { type: 'string', description: '`text`, `srt` and `vtt`: what `svc` would say is in headers.' },
  example: 'Hello from the echo model.\n',
};

/** Images and audio. */
export const MEDIA_PATHS: Readonly<Record<string, Json>> = {
  '/v1/images/generations': {
    post: {
      operationId: 'createImages',
      tags: ['Images'],
      summary: 'Make images of a prompt',
      description:
        'Inspects the prompt and how the model revised it; pictures are not inspected, `coverage.skipped` names them. Needs the permission `images`.',
      ...shared,
      requestBody: jsonBody(schemaRef(imagesRequestSchema), { prompt: { value: examples.imagesRequest } }),
      responses: {
        200: chatAnswer(
          schemaRef(imagesSchema),
          schemaRef(imageEventSchema),
          { whole: examples.images, stream: examples.imagesStream },
          { what: 'The pictures', end: 'the last is `image_generation.completed`, with `svc`' },
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
        "Inspects the prompt, the file's name and the transcript, also for instructions to whoever reads it next; the audio itself is not inspected. Needs the permission `audio`.",
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
