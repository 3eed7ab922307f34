import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import { anthropicAnswer } from './anthropic-answer.ts';
import { behaviourFromModel } from './behaviour.ts';
import { openaiAnswer } from './openai-answer.ts';
import type { Provider } from './provider-request.ts';

/** A response of `mock-fixed` or `mock-paced`, built once at start. */
export interface FixedAnswer {
  status: number;
  /** Names and values in turn, which Node writes faster than an object. */
  headers: string[];
  chunks: Buffer[];
  delayMs: number;
}

type Key = `${Provider} ${string} ${'json' | 'stream' | 'usage'}`;

const answers = new Map<Key, FixedAnswer>();
for (const model of ['mock-fixed', 'mock-paced']) {
  for (const [kind, stream, includeUsage] of [
    ['json', false, false],
    ['stream', true, false],
    ['usage', true, true],
  ] as const) {
    const behaviour = behaviourFromModel(model);
    const request = {
      model,
      stream,
      includeUsage,
      includeObfuscation: true,
      choices: 1,
      lastUserText: '',
      systemText: '',
      told: {},
    };
    const delayMs = behaviour.delayMs ?? 0;
    const fields = { ...request, promptTokens: 256 };
    answers.set(`openai ${model} ${kind}`, fixed(openaiAnswer(behaviour, fields), delayMs));
    answers.set(`anthropic ${model} ${kind}`, fixed(anthropicAnswer(behaviour, fields), delayMs));
  }
}

function fixed({ status, headers, streamed, chunks }: Answer, delayMs: number): FixedAnswer {
  const flat = Object.entries(headers).flat();
  if (!streamed) flat.push('content-length', String(chunks[0]?.length));
  return { status, headers: flat, chunks, delayMs };
}

/**
 * The fixed response for a body, found without parsing: quotes inside a JSON string are escaped, so these
 * texts are fields. Undefined for another model, and for a body with spaces, which is then parsed.
 */
export function fixedAnswerFor(provider: Provider, body: Buffer): FixedAnswer | undefined {
  const model = body.includes('"model":"mock-fixed"')
    ? 'mock-fixed'
    : body.includes('"model":"mock-paced"')
      ? 'mock-paced'
      : undefined;
  if (model === undefined) return undefined;
  const kind = !body.includes('"stream":true') ? 'json' : body.includes('"include_usage":true') ? 'usage' : 'stream';
  return answers.get(`${provider} ${model} ${kind}`);
}

export function sendFixedAnswer(response: ServerResponse, { status, headers, chunks, delayMs }: FixedAnswer): void {
  response.writeHead(status, headers);
  if (delayMs === 0 || chunks.length === 1) {
    const last = chunks.length - 1;
    for (let index = 0; index < last; index += 1) response.write(chunks[index]);
    response.end(chunks[last]);
    return;
  }
  let next = 0;
  const timer = setInterval(() => {
    response.write(chunks[next]);
    next += 1;
    if (next < chunks.length) return;
    clearInterval(timer);
    response.end();
  }, delayMs);
  response.once('close', () => clearInterval(timer));
  response.write(chunks[next]);
  next += 1;
}
