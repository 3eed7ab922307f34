import { CHAT_FRAMING } from '../../core/protocols/openai-chat/chat-answer-format.ts';
import {
  EMBEDDINGS_PROTOCOL,
  type EmbeddingsRequest,
} from '../../core/protocols/openai-embeddings/embeddings-protocol.ts';
import type { Speech } from './speech.ts';

/** OpenAI's embeddings. */
export const EMBEDDINGS_SPEECH: Speech<EmbeddingsRequest> = {
  framing: CHAT_FRAMING,
  spoken: () => ({ protocol: EMBEDDINGS_PROTOCOL, wantsStream: () => false }),
};
