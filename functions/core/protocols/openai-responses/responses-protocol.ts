import { furtherModels } from '../further-models.ts';
import { type Protocol, streamsByField } from '../protocol.ts';
import { boundResponsesInput } from './bound-responses-request.ts';
import { namedIds } from './named-ids.ts';
import { checkResponsesRequest, toChatRequest } from './read-responses-request.ts';
import { RESPONSES_FRAMING, ResponsesAnswerFormat } from './responses-answer-format.ts';
import { RESPONSES_PLACES } from './responses-places.ts';
import type { ResponsesRequest } from './responses-request-schema.ts';
import { responsesCoverage, responsesRequestTexts } from './responses-request-texts.ts';

/** OpenAI's Responses API. */
export const RESPONSES_PROTOCOL: Protocol<ResponsesRequest> = {
  name: 'openai-responses',
  framing: RESPONSES_FRAMING,
  wantsStream: streamsByField,
  check: checkResponsesRequest,
  read: toChatRequest,
  texts: responsesRequestTexts,
  covered: responsesCoverage,
  moderation: (body) => body.moderation ?? undefined,
  addToPrompt: ({ instructions }, text) => {
    if (typeof instructions === 'string') return { kind: 'append', path: ['instructions'], text: `\n\n${text}` };
    const json = JSON.stringify(text);
    if (instructions === null) return { kind: 'replace', path: ['instructions'], json };
    return { kind: 'insert', path: [], key: 'instructions', json };
  },
  boundInputTokens: boundResponsesInput,
  outputFields: ['max_output_tokens'],
  fieldNames: () => ({ maxOutputTokens: 'max_output_tokens', input: 'input' }),
  furtherModels: (value) => furtherModels(value, RESPONSES_PLACES),
  namedIds,
  format: (request, head, bodies) => new ResponsesAnswerFormat(request, head, bodies),
};
