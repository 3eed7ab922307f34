import { MESSAGES_FRAMING } from '../../core/protocols/anthropic-messages/messages-answer-format.ts';
import { countTokensProtocol, messagesProtocol } from '../../core/protocols/anthropic-messages/messages-protocol.ts';
import type {
  CountTokensRequest,
  MessagesRequest,
} from '../../core/protocols/anthropic-messages/messages-request-schema.ts';
import { type Speech, streamsByField } from './speech.ts';

/** Anthropic's Messages API. */
export const MESSAGES_SPEECH: Speech<MessagesRequest> = {
  framing: MESSAGES_FRAMING,
  spoken: ({ request }) => ({ protocol: messagesProtocol(request.headers), wantsStream: streamsByField }),
};

/** Its counting of tokens. */
export const COUNT_TOKENS_SPEECH: Speech<CountTokensRequest> = {
  framing: MESSAGES_FRAMING,
  spoken: ({ request }) => ({ protocol: countTokensProtocol(request.headers), wantsStream: () => false }),
};
