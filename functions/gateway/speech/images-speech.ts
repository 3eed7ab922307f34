import { IMAGES_FRAMING } from '../../core/protocols/openai-images/images-answer-format.ts';
import { IMAGES_PROTOCOL, type ImagesRequest } from '../../core/protocols/openai-images/images-protocol.ts';
import { type Speech, streamsByField } from './speech.ts';

/** OpenAI's images. */
export const IMAGES_SPEECH: Speech<ImagesRequest> = {
  framing: IMAGES_FRAMING,
  spoken: () => ({ protocol: IMAGES_PROTOCOL, wantsStream: streamsByField }),
};
