import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Failure } from '../../support/mock-upstream/behaviour.ts';
import { type Contract, saying } from '../contract.ts';

const TEXT = 'one two three four five six seven eight nine ten '.repeat(4);

interface Told {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly id: string;
}

/** How each API reports that a stream failed: the exact end of the stream. */
const APIS: [
  api: string,
  path: (model: string) => string,
  body: (model: string) => object,
  end: (told: Told) => string,
][] = [
  [
    'chat completions',
    () => '/chat/completions',
    (model) => ({ ...saying('Hi', model), stream: true }),
    ({ message, code }) => openAi(message, code),
  ],
  [
    'completions',
    () => '/completions',
    (model) => ({ model, prompt: 'Hi', stream: true }),
    ({ message, code }) => openAi(message, code),
  ],
  [
    'messages',
    () => '/messages',
    (model) => ({ ...saying('Hi', model), max_tokens: 100, stream: true }),
    ({ message, code, status, id }) => {
      const type = { 504: 'timeout_error', 529: 'overloaded_error' }[status] ?? 'api_error';
      const error = { type: 'error', error: { type, message, code }, request_id: id };
      return `event: error\ndata: ${JSON.stringify(error)}\n\n`;
    },
  ],
  [
    'Gemini',
    (model) => `/models/${model}:streamGenerateContent?alt=sse`,
    () => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    ({ message, code, status, id }) => {
      const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, metadata: { requestId: id } };
      const error = {
        code: status,
        message,
        status: status === 504 ? 'DEADLINE_EXCEEDED' : 'UNAVAILABLE',
        details: [info],
      };
      return `data: ${JSON.stringify({ error })}\n\n`;
    },
  ],
];

const FAILURES: [failure: Failure, code: string, status: number, what: string][] = [
  ['reset-mid-stream', 'provider_error', 502, 'closed the connection before its response was complete'],
  ['error-event', 'provider_error', 502, 'failed'],
  ['garbage', 'provider_error', 502, 'returned a response that could not be read'],
  ['stall-mid-stream', 'provider_timeout', 504, 'did not respond in time'],
];

const MODELS: [model: string, provider: string][] = [
  ['gpt-4o-mini', 'openai'],
  ['claude-sonnet-4-5', 'anthropic'],
];

/** Failures after the status was sent, in each API's format: one last event, without the end of a complete response. */
export function streamErrorContract(contract: Contract): void {
  let key = '';
  beforeAll(async () => {
    // Nothing is held back, so that a stream of any API has begun.
    key = await contract.newKey({ permissions: ['chat_completions', 'completions'], policy: { preset: 'monitor' } });
  });

  describe.each(APIS)('a stream of %s that fails after its status was sent', (api, path, body, end) => {
    // The mock has no completions of OpenAI's own; a chat is translated into them.
    const models = api === 'completions' ? MODELS.slice(1) : MODELS;
    const cases = models.flatMap(([model, provider]) =>
      FAILURES.map(([failure, code, status, what]) => {
        const overload = { code: 'provider_overloaded', status: 529, what: 'is overloaded. Try again later' };
        const isOverload = failure === 'error-event' && provider === 'anthropic';
        return { model, provider, failure, ...(isOverload ? overload : { code, status, what }) };
      }),
    );
    test.each(cases)(
      'tells it exactly so: $provider, $failure',
      async ({ model, provider, failure, code, status, what }) => {
        // Behind words of which the first have left by then.
        contract.upstream.next({ text: TEXT, failure, afterChunks: 24 });
        const response = await contract.fetch(path(model), JSON.stringify(body(model)), { key });
        const text = await response.text();
        const id = response.headers.get('x-request-id') ?? '';
        const message = `The provider ${provider} ${what}.`;
        expect([response.status, text.slice(-end({ code, status, message, id }).length)]).toEqual([
          200,
          end({ code, status, message, id }),
        ]);
        expect(text.match(/"error":\{/g)).toHaveLength(1);
        expect(text).toMatch(/one/);
        expect(text).not.toMatch(/\[DONE\]|message_stop|"finish_reason":"|"finishReason"/);
      },
    );
  });
}

function openAi(message: string, code: string): string {
  const type = code === 'provider_overloaded' ? 'overloaded_error' : 'provider_error';
  return `data: ${JSON.stringify({ error: { message, type, param: null, code } })}\n\n`;
}
