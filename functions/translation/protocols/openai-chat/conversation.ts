import * as z from 'zod';
import type { Author, RequestTexts } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { Places } from '../bodies/request-places.ts';
import { outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { chatRequestSchema, type OpenAiMessage } from './chat-request-schema.ts';
import { CHAT_PLACES, chatTexts } from './chat-request-texts.ts';

/** Messages and tools as in chat completions, for requests that call no model. */
export const conversationSchema = z.object({
  messages: chatRequestSchema.shape.messages,
  tools: chatRequestSchema.shape.tools,
});

interface Conversation {
  readonly messages: readonly OpenAiMessage[];
  readonly tools?: readonly object[] | null | undefined;
}

/** The texts of a conversation to inspect, or of one text in the field `input`, and the parts that are not inspected. */
export function* conversationTexts(
  given: Conversation | { readonly input: string; readonly author: Author },
): Steps<RequestTexts> {
  if ('messages' in given) return yield* chatTexts(given.messages, { tools: given.tools });
  const reader = new RequestTextReader(CHAT_PLACES);
  yield* reader.read(given.input, ['input'], outsideMessages(given.author));
  return { texts: reader.texts, skipped: [] };
}

const PLACES = { conversation: CHAT_PLACES, other: new Places({}) };

/**
 * Refuses member names of a parsed body that code may mistake for an object's prototype, and other spellings of the APIs' names.
 * `conversation`: free JSON in its places may have any names. @throws GatewayError
 */
export function refuseNames(value: unknown, body: keyof typeof PLACES): void {
  PLACES[body].refuseNames(value);
}
