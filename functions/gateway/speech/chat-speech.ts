import { CHAT_FRAMING } from '../../core/protocols/openai-chat/chat-answer-format.ts';
import { CHAT_PROTOCOL } from '../../core/protocols/openai-chat/chat-protocol.ts';
import type { OpenAiChatRequest } from '../../core/protocols/openai-chat/chat-request-schema.ts';
import { type Speech, streamsByField } from './speech.ts';

/** OpenAI's chat completions. */
export const CHAT_SPEECH: Speech<OpenAiChatRequest> = {
  framing: CHAT_FRAMING,
  spoken: () => ({ protocol: CHAT_PROTOCOL, wantsStream: streamsByField }),
};
