import * as z from 'zod';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { EmbeddingsRequest } from '../../protocols/openai-embeddings/embeddings-schema.ts';
import type { BedrockRuntime, Translation } from '../../routing/index.ts';
import { billed, unreadableResponse } from '../provider-failures.ts';

/** An embedding model of Bedrock: its requests and responses. */
interface Family {
  readonly names: RegExp;
  /** Texts in one call. */
  readonly batch: number;
  /** Members of the request that become members of the call; all others are refused. */
  readonly members: Readonly<Record<string, string>>;
  toBody(texts: readonly string[], settings: Readonly<Record<string, unknown>>): object;
  /** @throws ZodError */
  vectorsIn(answer: unknown): readonly (readonly number[])[];
}

const vector = z.array(z.number());
const titanAnswer = z.looseObject({ embedding: vector });
/** Cohere's response has the vectors by type if the model supports several types. */
const cohereAnswer = z.looseObject({
  embeddings: z.union([z.array(vector), z.looseObject({ float: z.array(vector) }).transform(({ float }) => float)]),
});

const TITAN = {
  batch: 1,
  toBody: ([inputText]: readonly string[], settings: object) => ({ inputText, ...settings }),
  vectorsIn: (answer: unknown) => [titanAnswer.parse(answer).embedding],
};
const COHERE = {
  batch: 96,
  // Cohere requires it. A query has another type, which the caller must set.
  toBody: (texts: readonly string[], settings: object) => ({ input_type: 'search_document', texts, ...settings }),
  vectorsIn: (answer: unknown) => cohereAnswer.parse(answer).embeddings,
};
const COHERE_MEMBERS = { input_type: 'input_type', truncate: 'truncate' };

/**
 * By the name in an id, an inference profile or an ARN. Sources:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v3.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html
 */
const FAMILIES: readonly Family[] = [
  { ...TITAN, names: /\bamazon\.titan-embed-text-v2/, members: { dimensions: 'dimensions', normalize: 'normalize' } },
  { ...TITAN, names: /\bamazon\.titan-embed-(?:text-v1|g1-text)/, members: {} },
  { ...COHERE, names: /\bcohere\.embed-v4/, members: { ...COHERE_MEMBERS, dimensions: 'output_dimension' } },
  { ...COHERE, names: /\bcohere\.embed-/, members: COHERE_MEMBERS },
];

/** Members of OpenAI's request that Bedrock needs not. */
const HANDLED = new Set(['model', 'input', 'encoding_format', 'user', 'svc', 'moderation']);
/** Calls for one request: each is billed. */
const MAX_CALLS = 96;
const AT_ONCE = 8;

/** A request for embeddings, as calls of InvokeModel. */
export interface EmbeddingCalls {
  /** The bodies in the order of their texts. */
  readonly bodies: readonly object[];
  vectorsIn(answer: unknown): readonly (readonly number[])[];
}

/** @throws GatewayError `invalid_value` for another model, tokens, too many texts, and members that the model does not have */
export function toEmbeddingCalls(body: EmbeddingsRequest, model: string, translation: Translation): EmbeddingCalls {
  const family = FAMILIES.find(({ names }) => names.test(model));
  if (family === undefined)
    throw translation.refused('model', 'the embedding models are Titan Text Embeddings and Cohere Embed');
  const texts = (typeof body.input === 'string' ? [body.input] : body.input) as readonly unknown[];
  if (!texts.every((text) => typeof text === 'string'))
    throw translation.refused('input', 'send text instead of tokens');
  const most = family.batch * MAX_CALLS;
  if (texts.length > most)
    throw translation.refused('input', `at most ${most} texts, each of which is a separate call`);
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (HANDLED.has(name) || value == null) continue;
    const member = Object.hasOwn(family.members, name) ? family.members[name] : undefined;
    if (member === undefined) throw translation.refused(name, 'the model has no such setting');
    if (typeof value === 'object') throw translation.refused(name, 'it must be a string, a number or a boolean');
    settings[member] = value;
  }
  const batches = Array.from({ length: Math.ceil(texts.length / family.batch) }, (_, at) =>
    texts.slice(at * family.batch, (at + 1) * family.batch),
  );
  return { bodies: batches.map((batch) => family.toBody(batch, settings)), vectorsIn: family.vectorsIn };
}

interface Invocation {
  readonly provider: string;
  readonly runtime: BedrockRuntime;
  readonly modelId: string;
  readonly apiKey: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Calls the model, and returns the response in OpenAI's format. The first call is made alone: what fails it fails all, and it may be repeated.
 * Later ones run eight at once, and end together. @throws BedrockFailure, HttpFailure; GatewayError for a failure after a call was billed
 */
export async function invokeEmbeddings(
  { bodies, vectorsIn }: EmbeddingCalls,
  { encoding_format: format }: EmbeddingsRequest,
  { provider, runtime, modelId, apiKey, signal }: Invocation,
  toError: (error: unknown) => GatewayError,
): Promise<string> {
  const stop = new AbortController();
  const shared = { modelId, apiKey, signal: AbortSignal.any([signal, stop.signal]) };
  const results: { readonly vectors: readonly (readonly number[])[]; readonly tokens: number | undefined }[] = [];
  const invoke = async (at: number) => {
    const request = bodies[at] as { readonly texts?: readonly string[] };
    const { text, inputTokens } = await runtime.invoke({ ...shared, body: JSON.stringify(request) });
    results[at] = {
      vectors: readVectors(text, request.texts?.length ?? 1, vectorsIn, provider),
      tokens: inputTokens,
    };
  };
  await invoke(0);
  let next = 1;
  const work = async () => {
    while (next < bodies.length && !stop.signal.aborted) await invoke(next++);
  };
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, bodies.length - 1) }, work));
  } catch (error) {
    stop.abort();
    throw billed(toError(error));
  }
  return write(modelId, results, format);
}

function readVectors(text: string, count: number, vectorsIn: EmbeddingCalls['vectorsIn'], provider: string) {
  try {
    const vectors = vectorsIn(JSON.parse(text));
    if (vectors.length === count) return vectors;
  } catch {
    // The parser's message may quote the response.
  }
  throw unreadableResponse(provider, 'no embeddings');
}

function write(
  model: string,
  results: readonly { readonly vectors: readonly (readonly number[])[]; readonly tokens: number | undefined }[],
  format: EmbeddingsRequest['encoding_format'],
): string {
  const data = results
    .flatMap(({ vectors }) => vectors)
    .map((values, index) => ({
      ...{ object: 'embedding', index },
      // Little-endian float32, as OpenAI's clients decode it.
      embedding: format === 'base64' ? Buffer.from(Float32Array.from(values).buffer).toString('base64') : values,
    }));
  const tokens = results.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one.tokens === undefined ? undefined : sum + one.tokens),
    0,
  );
  const usage = tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } };
  return JSON.stringify({ object: 'list', data, model, ...usage });
}
