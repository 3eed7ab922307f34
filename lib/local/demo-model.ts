import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoAnswer } from './demo-traffic.ts';

/** A provider of OpenAI's protocol on this machine that returns what the running request is to get. */
export async function startDemoModel(answer: () => DemoAnswer) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const { status = 200, ...given } = answer();
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(status === 200 ? completionOf(given) : { error: { message: 'The model is overloaded.' } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function completionOf({
  text = null,
  calls = [],
  tokens: [input, output],
}: Omit<DemoAnswer, 'text'> & { readonly text?: string | null }) {
  const toolCalls = calls.map(({ name, args }, at) => ({
    ...{ id: `call_demo_${at}`, type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: toolCalls }) };
  return {
    ...{ id: `chatcmpl-${crypto.randomUUID()}`, object: 'chat.completion', created: Math.floor(Date.now() / 1_000) },
    model: 'demo',
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}
