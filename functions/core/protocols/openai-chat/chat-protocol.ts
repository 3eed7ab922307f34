import { isObject } from '../../base/json.ts';
import type { JsonDocument } from '../../base/json-document.ts';
import { furtherModels } from '../further-models.ts';
import { type NamedId, type Protocol, streamsByField } from '../protocol.ts';
import { namedAt, namedInOpenAi } from '../provider-ids.ts';
import { boundInputTokens } from './bound-chat-request.ts';
import { CHAT_FRAMING, ChatAnswerFormat } from './chat-answer-format.ts';
import { CHAT_PLACES } from './chat-places.ts';
import type { OpenAiChatRequest } from './chat-request-schema.ts';
import { chatCoverage, chatRequestTexts, promptTextPath } from './chat-request-texts.ts';
import { checkChatRequest, toChatRequest } from './read-chat-request.ts';

/** OpenAI's chat completions. */
export const CHAT_PROTOCOL: Protocol<OpenAiChatRequest> = {
  name: 'openai-chat',
  framing: CHAT_FRAMING,
  wantsStream: streamsByField,
  check: (document: JsonDocument) => checkChatRequest(document),
  read: toChatRequest,
  texts: chatRequestTexts,
  covered: chatCoverage,
  moderation: (body) => body.moderation ?? undefined,
  addToPrompt: (body, text) => {
    const path = promptTextPath(body);
    if (path !== undefined) return { kind: 'append', path, text: `\n\n${text}` };
    return { kind: 'prepend', path: ['messages'], json: JSON.stringify({ role: 'system', content: text }) };
  },
  boundInputTokens,
  outputFields: ['max_tokens', 'max_completion_tokens', 'n'],
  fieldNames: (body) => ({
    maxOutputTokens:
      (body.max_completion_tokens ?? 0) > (body.max_tokens ?? 0) ? 'max_completion_tokens' : 'max_tokens',
    input: 'messages',
  }),
  furtherModels: (value) => furtherModels(value, CHAT_PLACES),
  namedIds: namedInChat,
  format: (request, head) => new ChatAnswerFormat(request, head),
};

/** Files, the audio of earlier answers, and voices of the account. */
function namedInChat(value: unknown): NamedId[] {
  if (!isObject(value)) return [];
  const { audio: asked, messages } = value;
  const voice = isObject(asked) && isObject(asked.voice) ? namedAt(asked.voice.id, 'Voice', 'audio.voice.id') : [];
  const audio = (Array.isArray(messages) ? messages : []).flatMap((message: unknown, at) =>
    isObject(message) && isObject(message.audio) ? namedAt(message.audio.id, 'Audio', `messages[${at}].audio.id`) : [],
  );
  return [...voice, ...audio, ...namedInOpenAi(value)];
}
