import type { RequestHeaders } from '../../http/request-headers.ts';
import type { Protocol } from '../protocol.ts';
import { boundMessagesInput } from './bound-messages-request.ts';
import { MessagesAnswerFormat } from './messages-answer-format.ts';
import type { MessagesRequest } from './messages-request-schema.ts';
import { messagesCoverage, messagesRequestTexts, systemTextPath } from './messages-request-texts.ts';
import { checkMessagesRequest, toChatRequest } from './read-messages-request.ts';

/** They choose what of the API is spoken. */
const HEADERS = ['anthropic-version', 'anthropic-beta'];
const VISIBLE_ASCII = /^[\x20-\x7e]{1,1024}$/;

/** Anthropic's Messages API, as one request speaks it. */
export function messagesProtocol(headers: RequestHeaders): Protocol<MessagesRequest> {
  return { ...MESSAGES_PROTOCOL, headers: chosenHeaders(headers) };
}

function chosenHeaders(headers: RequestHeaders): Record<string, string> {
  const chosen = HEADERS.map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(chosen.filter(([, value]) => value !== null && VISIBLE_ASCII.test(value))) as Record<
    string,
    string
  >;
}

export const MESSAGES_PROTOCOL: Protocol<MessagesRequest> = {
  name: 'anthropic-messages',
  check: checkMessagesRequest,
  read: toChatRequest,
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
  fieldNames: () => ({ maxOutputTokens: 'max_tokens', input: 'messages' }),
  format: (request, head) => new MessagesAnswerFormat(request, head),
};
