import * as z from 'zod';
import { randomHex } from '../../../kernel/crypto/index.ts';
import { isObject } from '../../../kernel/json/index.ts';
import type { ChatCompletion, ChatDelta, FinishReason, SignedPart, ToolCall } from '../../../kernel/model/index.ts';
import { parseTranslated } from '../../protocols/bodies/response-structure.ts';
import { fromGeminiUsage } from '../../protocols/gemini/gemini-response-reader.ts';
import type { Translation } from '../../routing/index.ts';
import { failedInResponse, unreadableResponse } from '../provider-failures.ts';

const Part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional().catch(undefined),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string(), args: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});
const Answer = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        index: z.int().optional(),
        content: z.looseObject({ parts: z.array(Part).optional() }).optional(),
        finishReason: z.string().optional(),
        groundingMetadata: z.unknown().optional(),
        citationMetadata: z.unknown().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z.looseObject({}).optional(),
  responseId: z.string().optional(),
  modelVersion: z.string().optional(),
});
type Answer = z.infer<typeof Answer>;

/** https://ai.google.dev/api/generate-content#FinishReason; an unknown reason becomes `stop`. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
};
/** The model wrote a call that Google cannot read, or took a turn that it refuses. */
const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

/**
 * A whole response in the gateway's own model. Of signatures, those of calls are read: Google requires no others. @throws GatewayError `provider_error` if the body is not one
 * @param translation of its request: collects what is left out
 */
export function fromGemini(body: string, model: string, translation: Translation): ChatCompletion {
  const { provider } = translation;
  const answer = parse(body, provider);
  const choices = (answer.candidates ?? []).map((candidate, at) => {
    const { index, content, finishReason } = candidate;
    const parts = content?.parts ?? [];
    reportSources(candidate, translation);
    for (const part of parts) reportLost(part, translation);
    const toolCalls = parts.flatMap(({ functionCall }, place): ToolCall[] =>
      functionCall ? [toToolCall(functionCall, place)] : [],
    );
    const texts = parts.flatMap(({ text, thought }) => (text !== undefined && thought !== true ? [text] : []));
    const reasoning = parts.map(({ text, thought }) => (thought === true ? (text ?? '') : '')).join('');
    const signed = parts
      .filter(({ functionCall }) => functionCall !== undefined)
      .flatMap(({ thoughtSignature }, calls): SignedPart[] =>
        thoughtSignature ? [{ block: { thoughtSignature }, text: texts.join('').length, calls }] : [],
      );
    return {
      index: index ?? at,
      text: texts.length === 0 && toolCalls.length > 0 ? null : texts.join(''),
      ...(reasoning !== '' && { reasoning }),
      ...(signed.length > 0 && { signed }),
      ...(toolCalls.length > 0 && { toolCalls }),
      finishReason: toReason(finishReason, toolCalls.length > 0, provider),
    };
  });
  const refused = answer.promptFeedback?.blockReason !== undefined;
  if (choices.length === 0 && !refused) throw unreadableResponse(provider, 'response without candidates');
  return {
    id: answer.responseId ?? '',
    model: answer.modelVersion ?? model,
    choices: choices.length > 0 ? choices : [{ index: 0, text: '', finishReason: 'content_filter' }],
    usage: fromGeminiUsage(answer) ?? {},
  };
}

/** The deltas of a streamed response, chunk by chunk. A tool call arrives whole, in one part. */
export class GeminiChunkReader {
  private readonly model: string;
  private readonly translation: Translation;
  private readonly calls = new Map<number, number>();
  private started = false;
  /** Whether a candidate has ended. */
  ended = false;

  constructor(model: string, translation: Translation) {
    this.model = model;
    this.translation = translation;
  }

  /** @throws GatewayError `provider_error` if the text is not a chunk */
  read(json: string): ChatDelta[] {
    const chunk = parse(json, this.translation.provider);
    const deltas: ChatDelta[] = [];
    if (!this.started) {
      this.started = true;
      deltas.push({ type: 'start', id: chunk.responseId ?? '', model: chunk.modelVersion ?? this.model });
    }
    for (const [at, candidate] of (chunk.candidates ?? []).entries()) {
      const { index, content, finishReason } = candidate;
      reportSources(candidate, this.translation);
      const choice = index ?? at;
      for (const part of content?.parts ?? []) {
        reportLost(part, this.translation);
        const { text, thought, functionCall, thoughtSignature } = part;
        if (functionCall && thoughtSignature) deltas.push({ type: 'signed', choice, block: { thoughtSignature } });
        if (functionCall) deltas.push(...this.call(functionCall, choice));
        else if (text) deltas.push({ type: thought === true ? 'reasoning' : 'text', choice, text });
      }
      if (finishReason)
        deltas.push(this.finish(choice, toReason(finishReason, this.calls.has(choice), this.translation.provider)));
    }
    if (chunk.promptFeedback?.blockReason !== undefined) deltas.push(this.finish(0, 'content_filter'));
    const usage = fromGeminiUsage(chunk);
    // Counts are cumulative: the last ones are the response's.
    if (usage && this.ended) deltas.push({ type: 'usage', usage });
    return deltas;
  }

  private finish(choice: number, reason: FinishReason): ChatDelta {
    this.ended = true;
    return { type: 'finish', choice, reason };
  }

  private call(
    call: { id?: string | undefined; name: string; args?: object | undefined },
    choice: number,
  ): ChatDelta[] {
    const index = this.calls.get(choice) ?? 0;
    this.calls.set(choice, index + 1);
    const { id, name, arguments: text } = toToolCall(call, index);
    return [
      { type: 'tool_call', choice, index, id, name },
      { type: 'tool_arguments', choice, index, text },
    ];
  }
}

/** Members that hold content: https://ai.google.dev/api/caching#Part */
const CONTENTS = [
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'functionResponse',
  'toolCall',
  'toolResponse',
];
/** Members that only describe the content beside them. */
const DETAILS: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'partMetadata',
  'mediaResolution',
  'videoMetadata',
]);

/** Reports what no field of the gateway's model takes. Names that are not known are the provider's text, and are not shown. */
function reportLost(part: z.infer<typeof Part>, translation: Translation): void {
  const { text, functionCall, ...others } = part;
  for (const name of Object.keys(others)) {
    if (!DETAILS.has(name)) translation.lost(CONTENTS.includes(name) ? name : 'unknown');
  }
}

/** Reports sources, which the gateway's model lacks. */
function reportSources(candidate: object, translation: Translation): void {
  for (const [name, value] of Object.entries(candidate))
    if (SOURCES.has(name) && isObject(value) && Object.keys(value).length > 0) translation.lost(name);
}

/** https://ai.google.dev/api/generate-content#candidate */
const SOURCES: ReadonlySet<string> = new Set(['groundingMetadata', 'citationMetadata']);

/** Most of Google's calls have no id. */
function toToolCall(call: { id?: string | undefined; name: string; args?: object | undefined }, at: number): ToolCall {
  const { id = `call_${randomHex(16)}_${at}`, name, args = {} } = call;
  return { id, name, arguments: JSON.stringify(args) };
}

function toReason(reason: string | undefined, hasCalls: boolean, provider: string): FinishReason {
  if (FAILURES.has(reason ?? '')) throw failedInResponse(provider, `finish reason ${reason}`);
  const known = REASONS[reason ?? ''] ?? 'stop';
  return known === 'stop' && hasCalls ? 'tool_calls' : known;
}

function parse(json: string, provider: string): Answer {
  let value: unknown;
  try {
    value = parseTranslated(json);
  } catch {
    throw unreadableResponse(provider, 'response is not JSON');
  }
  const result = Answer.safeParse(value);
  if (!result.success || (value as { error?: unknown } | null)?.error !== undefined)
    throw unreadableResponse(provider, 'response of an unknown shape');
  return result.data;
}
