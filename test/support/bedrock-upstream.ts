import { text } from 'node:stream/consumers';
import { chunkFrame, eventFrames, type StreamEvent } from './bedrock-frames.ts';
import { exception, invoked, refusalOfInvoke, whole } from './fake-bedrock.ts';
import { refusalOf } from './mock-upstream/refusals.ts';
import { words } from './mock-upstream/reply-content.ts';
import { type ProviderServer, startProviderServer } from './provider-server.ts';
import type { Reply } from './start-providers.ts';

/** A provider with Bedrock's Converse and, for Claude, InvokeModel, whole and streamed, that responds with `reply`. */
export function startBedrockUpstream(reply: (body: unknown) => Reply): Promise<ProviderServer> {
  return startProviderServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const replied = reply(body);
    const { status = 200 } = replied;
    const refusal = refusalOf('/messages', { model: CLAUDE.exec(request.url ?? '')?.[0], tools: toolsOf(body) });
    if (refusal !== undefined) {
      const { message } = (refusal.body as { error: { message: string } }).error;
      exception(400, 'ValidationException', `The model returned the following errors: ${message}`)(response);
    } else if (status >= 400) {
      const type = status === 429 ? 'ThrottlingException' : 'InternalServerException';
      // With it the service does not retry.
      exception(status, type, undefined, { 'retry-after': '7' })(response);
    } else if (/\/invoke/.test(request.url ?? '') && refusalOfInvoke(body, request.url ?? '') !== undefined) {
      exception(400, 'ValidationException', refusalOfInvoke(body, request.url ?? ''))(response);
    } else if (request.url?.endsWith('/invoke')) {
      invoked(JSON.stringify(messageOf(replied)))(response);
    } else if (request.url?.endsWith('/invoke-with-response-stream')) {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'aws-1' });
      for (const event of messageEvents(replied)) response.write(chunkFrame(JSON.stringify(event)));
      response.end();
    } else if (request.url?.endsWith('/converse-stream')) {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'aws-1' });
      for (const frame of eventFrames(eventsOf(replied))) response.write(frame);
      response.end();
    } else {
      whole(contentOf(replied), stopReasonOf(replied), usageOf(replied))(response);
    }
  });
}

const CLAUDE = /claude-[a-z0-9-]+/;

/** The tools as Claude's own API has them. */
function toolsOf({
  toolConfig,
  tools = [],
}: {
  toolConfig?: { tools: { toolSpec?: { inputSchema: { json: unknown } } }[] };
  tools?: { input_schema: unknown }[];
}) {
  return toolConfig?.tools.map(({ toolSpec }) => ({ input_schema: toolSpec?.inputSchema.json })) ?? tools;
}

function messageOf(replied: Reply): object {
  const { text: said, toolCalls = [], tokens: { input, output } = { input: 9, output: 5 } } = replied;
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    ...{ type: 'tool_use', id, name, input: JSON.parse(text) },
  }));
  return {
    ...{ id: 'msg_bdrk_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null },
    content: [...(said === undefined ? [] : [{ type: 'text', text: said }]), ...calls],
    stop_reason: stopReasonOf(replied),
    usage: { input_tokens: input, output_tokens: output },
  };
}

function messageEvents(replied: Reply): object[] {
  const { content, stop_reason, usage, ...head } = messageOf(replied) as {
    content: { type: string; text?: string; input?: object }[];
    stop_reason: string;
    usage: object;
  };
  const blocks = content.flatMap((block, index) => {
    const isCall = block.type === 'tool_use';
    const deltas = isCall
      ? [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
      : words(block.text ?? '').map((one) => ({ type: 'text_delta', text: one }));
    return [
      { type: 'content_block_start', index, content_block: isCall ? { ...block, input: {} } : { ...block, text: '' } },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  });
  return [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

function contentOf({ text: said, toolCalls = [] }: Reply): object[] {
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({
    toolUse: { toolUseId: id, name, input: JSON.parse(input) },
  }));
  return [...(said === undefined ? [] : [{ text: said }]), ...calls];
}

function eventsOf(replied: Reply): StreamEvent[] {
  const { text: said, toolCalls = [] } = replied;
  const texts: StreamEvent[] =
    said === undefined
      ? []
      : [
          ...words(said).map(
            (one): StreamEvent => ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: one } }],
          ),
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
    ['messageStop', { stopReason: stopReasonOf(replied) }],
    ['metadata', { usage: usageOf(replied), metrics: { latencyMs: 1 } }],
  ];
}

function stopReasonOf({ toolCalls = [] }: Reply): string {
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

function usageOf({ tokens: { input, output } = { input: 9, output: 5 } }: Reply): object {
  return { inputTokens: input, outputTokens: output, totalTokens: input + output };
}
