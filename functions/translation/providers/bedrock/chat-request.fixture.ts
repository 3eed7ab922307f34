import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatRequest } from '../../../kernel/model/index.ts';
import { CHAT_PROTOCOL } from '../../protocols/openai-chat/chat-protocol.ts';
import { type ChatCall, Translation } from '../../routing/index.ts';

export const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';

/** A chat completion's request in the gateway's own model; `fields` over one user message. */
export function chatRequest(fields: object = {}): ChatRequest {
  return chatCall(fields).request;
}

/** The call of such a request. */
export function chatCall(fields: object = {}, model = CLAUDE, signal = new AbortController().signal): ChatCall {
  const messages = [{ role: 'user', content: 'Hello' }];
  const source = readJsonDocument(JSON.stringify({ model, messages, ...fields }));
  const request = CHAT_PROTOCOL.read(CHAT_PROTOCOL.check(source));
  const translation = new Translation('bedrock');
  return { operation: 'openai-chat', source, request, model, translation, signal };
}
