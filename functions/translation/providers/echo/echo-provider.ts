import { GatewayError } from '../../../kernel/errors/index.ts';
import type { ChatDelta, ChatRequest, FinishReason, Usage } from '../../../kernel/model/index.ts';
import type { EmbeddingsRequest } from '../../protocols/openai-embeddings/embeddings-schema.ts';
import { editSettings } from '../../protocols/openai-images/edit-settings.ts';
import type { ImageEditsRequest } from '../../protocols/openai-images/image-edits-protocol.ts';
import type { ImagesRequest } from '../../protocols/openai-images/images-protocol.ts';
import type { TranscriptionsRequest } from '../../protocols/openai-transcriptions/transcriptions-protocol.ts';
import { CHAT_PROTOCOLS, type OperationName } from '../../protocols/protocol.ts';
import type { RerankRequest } from '../../protocols/rerank/rerank-schema.ts';
import type { ChatCall, ChatProvider, ProviderResponse } from '../../routing/index.ts';
import { echoImages, echoSpeech, echoTranscript } from './echo-responses.ts';
import { countInput, firstTokens } from './echo-tokens.ts';
import { echoEmbeddings, echoGeminiEmbeddings, echoRanking } from './echo-vectors.ts';

/** Keeps one request from using all memory of the process. */
const MAX_CHARS_OF_CHOICES = 4_000_000;

/** Returns the last user text, to try the gateway without a provider account. Only its ids are random. */
export class EchoProvider implements ChatProvider {
  readonly name = 'echo';
  readonly keyless = true;
  readonly serves: ReadonlySet<OperationName> = new Set<OperationName>([
    ...CHAT_PROTOCOLS,
    'openai-embeddings',
    'openai-images',
    'openai-image-edits',
    'openai-transcriptions',
    'openai-translations',
    'openai-speech',
    'anthropic-count-tokens',
    'gemini-count-tokens',
    'gemini-embed-content',
    'gemini-batch-embed-contents',
    'rerank',
  ]);
  readonly longestOutput = 'input';

  async complete({ operation, source, request, model }: ChatCall): Promise<ProviderResponse> {
    if (operation === 'openai-embeddings') {
      const body = source.value as EmbeddingsRequest;
      return { kind: 'native', body: JSON.stringify(await echoEmbeddings(body, model, await countInput(request))) };
    }
    if (operation === 'anthropic-count-tokens') {
      return { kind: 'native', body: JSON.stringify({ input_tokens: await countInput(request) }) };
    }
    if (operation === 'gemini-count-tokens') {
      return { kind: 'native', body: JSON.stringify({ totalTokens: await countInput(request) }) };
    }
    if (operation === 'gemini-embed-content' || operation === 'gemini-batch-embed-contents') {
      const embeddings = await echoGeminiEmbeddings(request, source.value);
      const answer = operation === 'gemini-embed-content' ? { embedding: embeddings[0] } : { embeddings };
      const usageMetadata = { promptTokenCount: await countInput(request) };
      return { kind: 'native', body: JSON.stringify({ ...answer, usageMetadata }) };
    }
    if (operation === 'rerank') return echoRanking(source.value as RerankRequest);
    if (operation === 'openai-speech') return echoSpeech(request.stream, await countInput(request));
    if (operation === 'openai-images') {
      return echoImages(source.value as ImagesRequest, request.stream, await countInput(request), 'image_generation');
    }
    if (operation === 'openai-image-edits') {
      const body = source.value as ImageEditsRequest;
      const asked = { ...editSettings(body), response_format: body.response_format };
      return echoImages(asked, request.stream, await countInput(request), 'image_edit');
    }
    if (operation === 'openai-transcriptions' || operation === 'openai-translations') {
      return echoTranscript(source.value as TranscriptionsRequest, request.stream, await countInput(request));
    }
    const text = lastUserText(request);
    if (request.choiceCount > 1 && text.length * request.choiceCount > MAX_CHARS_OF_CHOICES) {
      const message = `'n': echo repeats at most ${MAX_CHARS_OF_CHOICES} characters in all choices together.`;
      throw new GatewayError('invalid_value', message, { param: 'n' });
    }
    const { first: kept, count } = await firstTokens(text, request.maxOutputTokens ?? Number.POSITIVE_INFINITY);
    const reason: FinishReason = kept.length < count ? 'length' : 'stop';
    const usage: Usage = { inputTokens: await countInput(request), outputTokens: kept.length * request.choiceCount };
    const id = `chatcmpl-echo-${crypto.randomUUID()}`;
    const indexes = Array.from({ length: request.choiceCount }, (_, index) => index);
    if (request.stream) {
      return { kind: 'translated-stream', deltas: stream({ type: 'start', id, model }, indexes, kept, reason, usage) };
    }
    const choices = indexes.map((index) => ({ index, text: kept.join(''), finishReason: reason }));
    return { kind: 'translated', completion: { id, model, choices, usage } };
  }
}

async function* stream(
  start: ChatDelta,
  choices: readonly number[],
  words: readonly string[],
  reason: FinishReason,
  usage: Usage,
): AsyncGenerator<ChatDelta[]> {
  yield [start];
  for (const text of words) yield choices.map((choice) => ({ type: 'text', choice, text }));
  yield [...choices.map((choice) => ({ type: 'finish', choice, reason }) as const), { type: 'usage', usage }];
}

function lastUserText(request: ChatRequest): string {
  const message =
    request.messages.findLast(({ role }) => role === 'user') ?? request.messages[request.messages.length - 1];
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
