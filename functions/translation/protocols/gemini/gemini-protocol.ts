import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject } from '../../../kernel/json/index.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { bytesOf, uncountedOutputField } from '../bodies/token-bounds.ts';
import type { ApiRequest, Protocol } from '../protocol.ts';
import { checkGeminiRequest, fromGeminiRequest, type GeminiBody } from './from-gemini-request.ts';
import { GEMINI_PLACES, namedInGemini } from './gemini-names.ts';
import { geminiCoverage, geminiRequestTexts, systemTextPath } from './gemini-request-texts.ts';
import { GEMINI_FRAMING, GeminiResponseFormat } from './gemini-response-format.ts';
import type { GeminiPart } from './gemini-schema.ts';

/** Tokens for roles and separators around each content, and for the prompt around tool definitions. */
const PER_CONTENT = 16;
const FOR_TOOLS = 1_000;
/** 258 tokens a tile; the largest images have several dozen tiles. */
const PER_IMAGE = 10_000;
const LONGEST_CONTEXT = 2_000_000;
const STREAM = 'streamGenerateContent';
const METHODS = ['generateContent', STREAM];
/** Methods with separate routes. */
const OTHER_METHODS = ['countTokens', 'embedContent', 'batchEmbedContents'];
/** Tool members that hold functions, which the caller runs. */
const FUNCTIONS = new Set(['functionDeclarations', 'function_declarations']);

/** Google's generateContent for one model. The path selects the model and streaming. */
export function geminiProtocol(model: string, stream: boolean): Protocol<GeminiBody> {
  return {
    operation: 'gemini',
    framing: GEMINI_FRAMING,
    responseKind: () => (stream ? 'events' : 'json'),
    check: checkGeminiRequest,
    read: (body) => fromGeminiRequest(body, model, stream),
    texts: ({ sent }) => geminiRequestTexts(sent),
    covered: ({ sent }, texts) => geminiCoverage(sent, texts),
    addToPrompt: ({ sent }, text) => {
      const path = systemTextPath(sent);
      if (path !== undefined) return { kind: 'append', path, text: `\n\n${text}` };
      if (sent.systemInstruction !== undefined || sent.system_instruction !== undefined) return undefined;
      return { kind: 'insert', path: [], key: 'systemInstruction', json: JSON.stringify({ parts: [{ text }] }) };
    },
    boundInputTokens: boundGeminiInput,
    uncountedOutput: (value) => uncountedOutputField(value, ['generationConfig', 'generation_config']),
    fieldNames: () => ({ maxOutputTokens: 'generationConfig.maxOutputTokens', input: 'contents' }),
    // The path names the request's model.
    furtherModels: (value) => furtherModels(value, GEMINI_PLACES, ''),
    namedIds: namedInGemini,
    format: (request, head) => new GeminiResponseFormat(request, head),
  };
}

/** The same for the model and the method in the path. @throws GatewayError for a path that the API does not have */
export function geminiProtocolOf(routed: ApiRequest): Protocol<GeminiBody> {
  const { model, method } = parseCall(routed);
  return geminiProtocol(model, method === STREAM);
}

/** @throws GatewayError `not_found` for an unknown method, `invalid_value` for a stream without server-sent events */
function parseCall({ params, request }: ApiRequest): { model: string; method: string } {
  const { call = '' } = params;
  const colon = call.lastIndexOf(':');
  const method = call.slice(colon + 1);
  if (colon <= 0 || !METHODS.includes(method)) {
    throw new GatewayError(
      'not_found',
      `Unknown method. Supported methods of a model: ${[...METHODS, ...OTHER_METHODS].join(', ')}.`,
    );
  }
  if (method === STREAM && new URL(request.url).searchParams.get('alt') !== 'sse') {
    throw new GatewayError('invalid_value', "Streaming requires server-sent events: add '?alt=sse'.", { param: 'alt' });
  }
  return { model: call.slice(0, colon), method };
}

/** Whether the provider reads more than the request contains: cached content, or a tool that it runs (any except functions). */
function hasServerSide(body: object): boolean {
  const { tools, cachedContent, cached_content } = body as Record<string, unknown>;
  if (cachedContent != null || cached_content != null) return true;
  if (!Array.isArray(tools)) return tools != null;
  return tools.some((tool: unknown) => !isObject(tool) || Object.keys(tool).some((name) => !FUNCTIONS.has(name)));
}

/** A part, or media in the result of a function. */
type BoundedPart = Omit<GeminiPart, 'inlineData' | 'fileData'> & {
  readonly inlineData?: { readonly mimeType?: string | undefined } | undefined;
  readonly fileData?: unknown;
};

type Result = Partial<NonNullable<GeminiPart['functionResponse']>>;

/** An upper bound on the input tokens. @param contextTokens the model's context size, if known */
export function boundGeminiInput({ read }: Pick<GeminiBody, 'read'>, contextTokens = LONGEST_CONTEXT): number {
  const { contents, systemInstruction, ...rest } = read;
  const all = systemInstruction === undefined ? contents : [...contents, systemInstruction];
  const contentBound = all.reduce((sum, { parts, ...beside }) => {
    const around = sum + PER_CONTENT + bytesOf(beside);
    return parts.reduce((total, part) => total + boundPart(part, contextTokens), around);
  }, 0);
  const held = hasServerSide(rest) ? contextTokens : 0;
  return held + contentBound + bytesOf(rest) + (read.tools ? FOR_TOOLS : 0);
}

function boundPart({ inlineData, fileData, functionResponse, ...rest }: BoundedPart, contextTokens: number): number {
  const isImage = inlineData?.mimeType?.startsWith('image/') === true;
  if (fileData != null || (inlineData != null && !isImage)) return contextTokens;
  const { parts = [], ...result }: Result = functionResponse ?? {};
  const around = (isImage ? PER_IMAGE : 0) + bytesOf(functionResponse ? { ...rest, result } : rest);
  return parts.reduce((sum, part) => sum + boundPart(part, contextTokens), around);
}
