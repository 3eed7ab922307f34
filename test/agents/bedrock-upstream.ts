import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventFrames, type StreamEvent } from '../support/bedrock-frames.ts';
import type { GeminiReply as Reply } from './gemini-upstream.ts';

export interface BedrockUpstream {
  readonly url: string;
  close(): Promise<void>;
}

/** A provider with Bedrock's ConverseStream that responds with `reply`. */
export async function startBedrockUpstream(reply: (body: unknown) => Reply): Promise<BedrockUpstream> {
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await text(request));
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'aws-1' });
    for (const frame of eventFrames(eventsOf(reply(body)))) response.write(frame);
    response.end();
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

function eventsOf({ text: said, toolCalls = [] }: Reply): StreamEvent[] {
  const texts: StreamEvent[] =
    said === undefined
      ? []
      : [
          ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: said } }],
          ['contentBlockStop', { contentBlockIndex: 0 }],
        ];
  const calls = toolCalls.flatMap(({ id, name, arguments: input }, at): StreamEvent[] => {
    const contentBlockIndex = at + 1;
    return [
      ['contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } }],
      ['contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input } } }],
      ['contentBlockStop', { contentBlockIndex }],
    ];
  });
  return [
    ['messageStart', { role: 'assistant' }],
    ...texts,
    ...calls,
    ['messageStop', { stopReason: toolCalls.length > 0 ? 'tool_use' : 'end_turn' }],
    ['metadata', { usage: { inputTokens: 9, outputTokens: 5, totalTokens: 14 }, metrics: { latencyMs: 1 } }],
  ];
}
