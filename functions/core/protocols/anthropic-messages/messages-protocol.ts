import { GatewayError } from '../../base/errors.ts';
import type { RequestHeaders } from '../../base/request-headers.ts';
import { furtherModels } from '../further-models.ts';
import { type Protocol, streamsByField } from '../protocol.ts';
import { type TextlessAnswer, TextlessAnswerFormat } from '../textless-answer-format.ts';
import { boundMessagesInput } from './bound-messages-request.ts';
import { MESSAGES_FRAMING, MessagesAnswerFormat } from './messages-answer-format.ts';
import { isDiagnosed, namedInMessages } from './messages-ids.ts';
import { MESSAGES_PLACES } from './messages-places.ts';
import type { CountTokensRequest, MessagesRequest } from './messages-request-schema.ts';
import { messagesCoverage, messagesRequestTexts, systemTextPath } from './messages-request-texts.ts';
import { checkCountTokensRequest, checkMessagesRequest, toChatRequest } from './read-messages-request.ts';

/** Request headers that choose versions of the API. */
const HEADERS = ['anthropic-version', 'anthropic-beta'];
/** `context-1m-2025-08-07`: no room for text, which nothing inspects here. */
const VERSION = /^[A-Za-z0-9.-]{1,64}$/;
const MAX_BETAS = 32;

/** Anthropic's Messages API, in the versions that a request's headers choose. */
export function messagesProtocol(headers: RequestHeaders): Protocol<MessagesRequest> {
  return withHeaders(MESSAGES_PROTOCOL, headers);
}

function withHeaders<Body>(protocol: Protocol<Body>, headers: RequestHeaders): Protocol<Body> {
  const chosen = Object.fromEntries(HEADERS.flatMap((name) => entryOf(name, headers.get(name))));
  return {
    ...protocol,
    headers: chosen,
    check(document) {
      for (const [name, value] of Object.entries(chosen)) checkHeader(name, value);
      return protocol.check(document);
    },
  };
}

function entryOf(name: string, value: string | null): [string, string][] {
  return value === null || value === '' ? [] : [[name, value]];
}

function checkHeader(name: string, value: string): void {
  const versions = name === 'anthropic-beta' ? value.split(',').map((one) => one.trim()) : [value];
  if (versions.length <= MAX_BETAS && versions.every((one) => one === '' || VERSION.test(one))) return;
  const message = `The header ${name} must hold names of versions alone: letters, digits, dots and dashes.`;
  throw new GatewayError('invalid_value', message, { param: name });
}

/** What both have in common: they differ in what they ask for. */
const SHARED = {
  texts: messagesRequestTexts,
  covered: messagesCoverage,
  addToPrompt: (body, text) => {
    const path = systemTextPath(body);
    if (path !== undefined) return { kind: 'append', path, text: `\n\n${text}` };
    const block = JSON.stringify({ type: 'text', text });
    if (Array.isArray(body.system)) return { kind: 'prepend', path: ['system'], json: block };
    return { kind: 'insert', path: [], key: 'system', json: JSON.stringify(text) };
  },
  boundInputTokens: boundMessagesInput,
  outputFields: ['max_tokens'],
  fieldNames: () => ({ maxOutputTokens: 'max_tokens', input: 'messages' }),
  furtherModels: (value) => furtherModels(value, MESSAGES_PLACES),
  namedIds: namedInMessages,
} satisfies Partial<Protocol<CountTokensRequest>>;

/** Anthropic's Messages API. */
export const MESSAGES_PROTOCOL: Protocol<MessagesRequest> = {
  ...SHARED,
  name: 'anthropic-messages',
  framing: MESSAGES_FRAMING,
  wantsStream: streamsByField,
  forRequest: ({ request }) => messagesProtocol(request.headers),
  check: checkMessagesRequest,
  read: toChatRequest,
  format: (request, head, { asked }) => new MessagesAnswerFormat(request, head, isDiagnosed(asked)),
};

/** Its token counting. */
export const COUNT_TOKENS_PROTOCOL: Protocol<CountTokensRequest> = {
  ...SHARED,
  name: 'anthropic-count-tokens',
  framing: MESSAGES_FRAMING,
  wantsStream: () => false,
  forRequest: ({ request }) => withHeaders(COUNT_TOKENS_PROTOCOL, request.headers),
  unbilled: true,
  check: checkCountTokensRequest,
  read: ({ model, messages, system, tools, tool_choice }) => ({
    ...toChatRequest({ model, messages, system, tools, tool_choice }),
    choiceCount: 0,
  }),
  format: () => new TextlessAnswerFormat({}, readCount),
};

/** `{"input_tokens": 14}`. What was counted is no usage. */
function readCount({ input_tokens: count }: Readonly<Record<string, unknown>>): TextlessAnswer {
  return {
    usage: { inputTokens: 0, outputTokens: 0 },
    fault: Number.isSafeInteger(count) ? undefined : 'no count of tokens',
  };
}
