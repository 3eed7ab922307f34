import { text } from 'node:stream/consumers';
import { words } from './mock-upstream/reply-content.ts';
import { type ProviderServer, startProviderServer } from './provider-server.ts';
import type { Reply } from './start-providers.ts';

/** A provider with Google's Gemini API (ai.google.dev/api/generate-content) that responds with `reply`. */
export function startGeminiUpstream(reply: (body: unknown) => Reply): Promise<ProviderServer> {
  return startProviderServer(async (request, response) => {
    const body = await text(request);
    const json = { 'content-type': 'application/json' };
    if (request.url?.includes(':countTokens')) {
      response.writeHead(200, json).end('{"totalTokens":100}');
      return;
    }
    // A list of models: it has none of those that routes name.
    if (request.method === 'GET') {
      response.writeHead(200, json).end('{"models":[]}');
      return;
    }
    const { status = 200, ...replied } = reply(JSON.parse(body));
    if (status >= 400) {
      const error = { code: status, message: 'Resource has been exhausted.', status: 'RESOURCE_EXHAUSTED' };
      // With it the service does not retry.
      response.writeHead(status, { ...json, 'retry-after': '7' }).end(JSON.stringify({ error }));
      return;
    }
    const [whole, chunks] = answersOf(replied, body.length);
    if (request.url?.includes(':streamGenerateContent')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''));
    } else {
      response.writeHead(200, json).end(JSON.stringify(whole));
    }
  });
}

/** The response, whole and as the events of a stream. */
function answersOf({ text: said, toolCalls = [], tokens }: Reply, length: number): [object, object[]] {
  const { input, output } = tokens ?? { input: length >> 2, output: 20 };
  const texts = said === undefined ? [] : words(said).map((text) => ({ text }));
  const calls = toolCalls.map(({ name, arguments: args }) => ({ functionCall: { name, args: JSON.parse(args) } }));
  const answer = (parts: object[], ending: object) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...ending }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: 'gemini-2.5-pro',
    responseId: 'r1',
  });
  const end = { finishReason: 'STOP' };
  const whole = answer([...(said === undefined ? [] : [{ text: said }]), ...calls], end);
  const parts = [...texts, ...calls];
  return [whole, parts.map((part, at) => answer([part], at === parts.length - 1 ? end : {}))];
}
