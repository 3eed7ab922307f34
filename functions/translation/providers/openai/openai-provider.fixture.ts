import type { HttpRequest, HttpResponse } from '../../../kernel/http/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import { checkChatRequest, fromOpenAiChatRequest } from '../../protocols/openai-chat/from-chat-request.ts';
import { type ChatCall, Translation } from '../../routing/index.ts';
import { OpenAiProvider, type OpenAiProviderOptions } from './openai-provider.ts';
import { OPENAI_DIALECT } from './to-openai-request.ts';

export function callOf(text: string, model: string): ChatCall {
  const source = readJsonDocument(text);
  const request = fromOpenAiChatRequest(checkChatRequest(source));
  return {
    operation: 'openai-chat',
    source,
    request,
    model,
    translation: new Translation('openai'),
    signal: new AbortController().signal,
  };
}

export const BODY = '{ "messages":[{"role":"user","content":"\\u0068i"}],"temperature":1.0,\n "model":"gpt-4o" }';

const ENCODER = new TextEncoder();
export function provider(
  answer: (
    request: HttpRequest,
  ) => Promise<{ status?: number; headers?: Record<string, string>; body: readonly string[]; fails?: Error }>,
  apiKey = 'the key',
  more: Partial<OpenAiProviderOptions> = {},
) {
  const requests: HttpRequest[] = [];
  const http = {
    async send(request: HttpRequest): Promise<HttpResponse> {
      requests.push(request);
      const { status = 200, headers = {}, body, fails } = await answer(request);
      async function* pieces() {
        for (const text of body) yield ENCODER.encode(text);
        if (fails) throw fails;
      }
      return { status, headers, body: pieces() };
    },
  };
  const subject = new OpenAiProvider({
    name: 'openai',
    dialect: OPENAI_DIALECT,
    http,
    apiKey: async () => apiKey,
    keyVariable: 'OPENAI_API_KEY',
    baseUrl: 'https://host/v1',
    headTimeoutMs: 1,
    idleTimeoutMs: 2,
    ...more,
  });
  return { subject, requests };
}
