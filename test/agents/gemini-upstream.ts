import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { MockToolCall } from '../support/mock-upstream/behaviour.ts';

export interface GeminiUpstream {
  readonly url: string;
  close(): Promise<void>;
}

/** The model's response: a text or a tool call. */
export interface GeminiReply {
  readonly text?: string;
  readonly toolCalls?: readonly MockToolCall[];
}

/** A provider with Google's Gemini API (ai.google.dev/api/generate-content) that responds with `reply`. */
export async function startGeminiUpstream(reply: (body: unknown) => GeminiReply): Promise<GeminiUpstream> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url?.includes(':countTokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"totalTokens":100}');
      return;
    }
    const { text: said, toolCalls = [] } = reply(JSON.parse(body));
    const parts = [
      ...(said === undefined ? [] : [{ text: said }]),
      ...toolCalls.map(({ name, arguments: args }) => ({ functionCall: { name, args: JSON.parse(args) } })),
    ];
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: body.length >> 2,
        candidatesTokenCount: 20,
        totalTokenCount: (body.length >> 2) + 20,
      },
      modelVersion: 'gemini-2.5-pro',
      responseId: 'r1',
    };
    const streams = request.url?.includes(':streamGenerateContent') === true;
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    response.end(streams ? `data: ${JSON.stringify(answer)}\r\n\r\n` : JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
