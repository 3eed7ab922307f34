import { expect, it } from '@jest/globals';
import type { StoredProvider } from '../../kernel/configuration/index.ts';
import type { GatewayError } from '../../kernel/errors/index.ts';
import { type HttpClient, HttpFailure } from '../../kernel/http/index.ts';
import { readJsonDocument } from '../../kernel/json/index.ts';
import type { ChatRequest } from '../../kernel/model/index.ts';
import type { OperationName } from '../protocols/protocol.ts';
import { BedrockFailure, type BedrockRuntime, type ProviderResponse, Translation } from '../routing/index.ts';
import { createStored } from './stored-providers.ts';

const OPERATIONS: readonly OperationName[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];
const OTHER_NAMES = /openai|anthropic|gemini|google|bedrock|azure|vertex/i;

const event = (data: object | string, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const STARTS: Readonly<Record<StoredProvider['protocol'], string>> = {
  openai: event({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hi' } }] }),
  azure: event({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hi' } }] }),
  anthropic: event({ type: 'message_start', message: { id: 'm', model: 'm' } }),
  gemini: event({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }),
  bedrock: '',
  vertex: event({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }),
};
const FAILED = { error: { type: 'overloaded_error', message: '' }, type: 'error' };
const BODIES = ['', 'no JSON', '{}', '[]', JSON.stringify(FAILED)];
const LATER = [
  ...['', event('no JSON'), event({}), event([]), event(FAILED), event('', 'error'), event({ type: 'message_stop' })],
  event({ candidates: [{ finishReason: 'MALFORMED_RESPONSE' }] }),
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }),
  event({ type: 'message_start', message: { id: 'm', model: 'm' } }),
];

interface Given {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly failure?: HttpFailure;
  readonly cut?: HttpFailure;
}

/** What a provider may send or do, each of which is an error in some protocol. */
function faultsOf(protocol: StoredProvider['protocol']): Given[] {
  const stream = 'text/event-stream';
  return [
    ...(['connect', 'reset', 'timeout'] as const).map((reason) => ({ failure: new HttpFailure(reason, true) })),
    ...[302, 400, 401, 404, 408, 429, 500, 529].flatMap((status) => BODIES.map((body) => ({ status, body }))),
    ...BODIES.map((body) => ({ body })),
    ...[...LATER, ...LATER.map((later) => STARTS[protocol] + later)].map((body) => ({ body, type: stream })),
    { body: STARTS[protocol], type: stream, cut: new HttpFailure('reset', true) },
    { body: '{"id"', cut: new HttpFailure('reset', true) },
  ];
}

function clientOf({ status = 200, type = 'application/json', body = '', failure, cut }: Given): HttpClient {
  return {
    async send() {
      if (failure !== undefined) throw failure;
      const pieces = (async function* () {
        yield Buffer.from(body);
        if (cut !== undefined) throw cut;
      })();
      return { status, headers: { 'content-type': type }, body: pieces };
    },
  };
}

/** The errors of the calls, whole and streamed, with the body of each operation. */
async function errorsOf(protocol: StoredProvider['protocol'], given: Given, runtime?: BedrockRuntime) {
  const http = clientOf(given);
  const provider = createStored(
    { name: 'acme', protocol, baseUrl: 'https://llm.example', credentialId: 'cred_1' },
    {
      ...{ http, publicHttp: http, settings: async () => ({}), baseUrls: {}, echo: false, bedrock: false },
      bedrockRuntime: () => runtime as BedrockRuntime,
      ...{ credential: async () => 'key', timeoutMs: 1_000, onFault: () => {} },
    },
  );
  const errors: GatewayError[] = [];
  for (const operation of OPERATIONS) {
    for (const stream of [false, true]) {
      const translation = new Translation('acme');
      const source = readJsonDocument('{"model":"m","messages":[]}');
      const call = { operation, source, request: { ...REQUEST, stream }, model: 'm', translation };
      await provider
        .complete({ ...call, signal: new AbortController().signal })
        .then(readAll)
        .catch((error) => {
          errors.push(error);
        });
    }
  }
  return errors;
}

const REQUEST: ChatRequest = {
  ...{ model: 'm', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] },
  ...{ stream: false, includeUsage: false, choiceCount: 1, others: [] },
};

async function readAll(response: ProviderResponse): Promise<void> {
  if (response.kind === 'native-stream') for await (const _ of response.chunks);
  if (response.kind === 'translated-stream') for await (const _ of response.deltas);
}

/** The texts of an error that name the provider. */
function expectConfiguredName({ message, internal = 'acme', code }: GatewayError): void {
  expect([
    'provider_error',
    'provider_timeout',
    'provider_overloaded',
    'model_not_found',
    'rate_limit_exceeded',
    'invalid_value',
  ]).toContain(code);
  expect(message).toContain('acme');
  expect(internal).toContain('acme');
  expect(`${message} ${internal.replace('overloaded_error', '')}`).not.toMatch(OTHER_NAMES);
}

it.each(['openai', 'azure', 'anthropic', 'gemini'] as const)(
  'errors of a provider of the protocol %s have the name that is configured',
  async (protocol) => {
    for (const given of faultsOf(protocol)) {
      for (const error of await errorsOf(protocol, given)) expectConfiguredName(error);
    }
  },
);

it('errors of a provider of the protocol bedrock have the name that is configured', async () => {
  const exceptions = ['AccessDenied', 'Throttling', 'Validation', 'ResourceNotFound', 'ModelTimeout', 'NotKnown'];
  const failures = [
    ...exceptions.map((name) => new BedrockFailure(`${name}Exception`, '', 500)),
    new BedrockFailure('CredentialsProviderError', ''),
    new BedrockFailure('AnswerBroken', '', 200, { cause: new HttpFailure('reset', true) }),
    new HttpFailure('timeout', true),
    new Error('unknown'),
  ];
  const answers = [{}, { output: { message: { content: [] } }, stopReason: 'malformed_tool_use' }];
  const start = { messageStart: {} };
  const events = [
    [],
    [{}],
    [start],
    [start, start],
    [7],
    [start, { messageStop: { stopReason: 'malformed_tool_use' } }],
  ];
  const ended = async function* (first: readonly unknown[], failure?: Error) {
    yield* first;
    if (failure !== undefined) throw failure;
  };
  const later = failures.filter((failure) => failure instanceof BedrockFailure);
  const streams = [...events.map((one) => () => ended(one)), ...later.map((one) => () => ended([start], one))];
  const refuse = (failure: Error) => async () => {
    throw failure;
  };
  const runtimes: BedrockRuntime[] = [
    ...failures.map((one) => ({
      http: { send: refuse(one) },
      converse: refuse(one),
      converseStream: refuse(one),
      invoke: refuse(one),
      invokeStream: refuse(one),
    })),
    ...answers.map((answer) => ({
      http: clientOf({}),
      converse: async () => ({ requestId: 'r', answer }),
      converseStream: refuse(new HttpFailure('connect', false)),
      invoke: async () => ({ requestId: 'r', text: JSON.stringify(answer), inputTokens: 1 }),
      invokeStream: refuse(new HttpFailure('connect', false)),
    })),
    ...streams.map((eventsOf) => ({
      http: clientOf({}),
      converse: refuse(new HttpFailure('connect', false)),
      converseStream: async () => ({ requestId: 'r', events: eventsOf() }),
      invoke: async () => ({ requestId: 'r', text: '{}', inputTokens: 1 }),
      invokeStream: refuse(new HttpFailure('connect', false)),
    })),
  ];
  for (const runtime of runtimes) {
    const errors = await errorsOf('bedrock', {}, runtime);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expectConfiguredName(error);
  }
});
