import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly json: { readonly source?: string; readonly content?: unknown; readonly input?: string[] };
  /** Resolves if the connection is closed before the response. */
  readonly givenUp: Promise<void>;
}

/** What the server does with a request. */
export type DetectorReply =
  | { readonly json: unknown }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'stall'
  | 'reset';

export interface DetectorServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  answer: (request: SeenRequest) => DetectorReply | Promise<DetectorReply>;
  close(): Promise<void>;
}

/** A local server with the protocols of the outside detectors and responses that a test sets. */
export async function startDetectorServer(): Promise<DetectorServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const json = JSON.parse(Buffer.concat(chunks).toString()) as SeenRequest['json'];
      const givenUp = new Promise<void>((resolve) => {
        response.once('close', () => {
          if (!response.writableFinished) resolve();
        });
      });
      const now: SeenRequest = { path: request.url ?? '', headers: request.headers, json, givenUp };
      seen.push(now);
      const answer = await running.answer(now);
      if (answer === 'stall') return;
      if (answer === 'reset') return void response.destroy();
      if ('json' in answer)
        return void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer.json));
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '{"message":"no"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running: DetectorServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: ({ json }) => ({ json: json.input ? harmlessModeration(json.input) : NOTHING_FOUND }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return running;
}

const USAGE = {
  topicPolicyUnits: 1,
  contentPolicyUnits: 1,
  wordPolicyUnits: 1,
  sensitiveInformationPolicyUnits: 1,
  sensitiveInformationPolicyFreeUnits: 1,
  contextualGroundingPolicyUnits: 0,
};

/** ApplyGuardrail's response without findings. */
export const NOTHING_FOUND = { usage: USAGE, action: 'NONE', outputs: [], assessments: [{}] };

/** ApplyGuardrail's response when it intervenes, as AWS's user guide shows it. */
export function intervened(...assessments: object[]) {
  return {
    usage: USAGE,
    action: 'GUARDRAIL_INTERVENED',
    actionReason: 'Guardrail blocked.',
    outputs: [{ text: 'Sorry, the model cannot answer this question.' }],
    assessments: assessments.map((assessment) => ({
      ...assessment,
      invocationMetrics: {
        guardrailProcessingLatency: 218,
        usage: USAGE,
        guardrailCoverage: { textCharacters: { guarded: 40, total: 40 } },
      },
    })),
  };
}

/** A content filter's assessment. */
export function filtered(type: string, confidence: string) {
  return {
    contentPolicy: { filters: [{ type, confidence, filterStrength: 'HIGH', action: 'BLOCKED', detected: true }] },
  };
}

const CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

/** An OpenAI moderation result: the given scores, and nearly zero for all other categories. */
export function moderated(scores: Readonly<Record<string, number>> = {}, flagged = Object.keys(scores)) {
  const of = <T>(value: (name: string) => T) => Object.fromEntries(CATEGORIES.map((name) => [name, value(name)]));
  return {
    flagged: flagged.length > 0,
    categories: of((name) => flagged.includes(name)),
    category_scores: of((name) => scores[name] ?? 0.00001),
    category_applied_input_types: of(() => ['text']),
  };
}

export function moderation(...results: object[]) {
  return { id: 'modr-970d409ef3bef3b70c73d8232df86e7d', model: 'omni-moderation-latest', results };
}

function harmlessModeration(input: readonly string[]) {
  return moderation(...input.map(() => moderated()));
}
