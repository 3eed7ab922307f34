import { RESPONSES_FRAMING } from '../../core/protocols/openai-responses/responses-answer-format.ts';
import { RESPONSES_PROTOCOL } from '../../core/protocols/openai-responses/responses-protocol.ts';
import type { ResponsesRequest } from '../../core/protocols/openai-responses/responses-request-schema.ts';
import { type Speech, streamsByField } from './speech.ts';

/** OpenAI's Responses API. */
export const RESPONSES_SPEECH: Speech<ResponsesRequest> = {
  framing: RESPONSES_FRAMING,
  spoken: () => ({ protocol: RESPONSES_PROTOCOL, wantsStream: streamsByField }),
};
