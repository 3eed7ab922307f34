import * as z from 'zod';
import { GatewayError } from '../../../kernel/errors/index.ts';
import type { JsonDocument } from '../../../kernel/json/index.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { checkBody } from '../bodies/request-body.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import type { Protocol } from '../protocol.ts';
import { fromGeminiRequest, type GeminiBody } from './from-gemini-request.ts';
import { checkModelOfPath, withoutModel } from './gemini-calls.ts';
import { GEMINI_CALL_PLACES, inCamelCase, inCamelCaseName, namedInGeminiCall } from './gemini-names.ts';
import { boundGeminiInput } from './gemini-protocol.ts';
import { geminiCoverage, geminiRequestTexts } from './gemini-request-texts.ts';
import { GEMINI_FRAMING } from './gemini-response-format.ts';
import { contentSchema, geminiRequestSchema } from './gemini-schema.ts';

const WHOLE = 'generateContentRequest';

/** A body of countTokens: contents, or a whole request. https://ai.google.dev/api/tokens#method:-models.counttokens */
export const geminiCountRequestSchema = z
  .looseObject({
    contents: z.array(contentSchema).min(1).optional(),
    [WHOLE]: geminiRequestSchema.optional(),
  })
  .meta({ id: 'GeminiCountTokensRequest', description: 'Either `contents` or `generateContentRequest`.' });

export const geminiCountResponseSchema = z
  .looseObject({ totalTokens: z.int().min(0).optional(), cachedContentTokenCount: z.int().min(0).optional() })
  .meta({ id: 'GeminiCountTokensResponse', description: 'As Google documents it.' });

/** The request whose tokens are counted, and its path in the body. */
interface CountBody extends GeminiBody {
  readonly path: readonly string[];
}

const RESPONSE_PLACES = { id: 'promptTokensDetails[].modality cacheTokensDetails[].modality' };

/** Google's countTokens for the model of the path. The count is free: https://ai.google.dev/gemini-api/docs/tokens */
export function geminiCountProtocol(model: string): Protocol<CountBody> {
  return {
    operation: 'gemini-count-tokens',
    framing: GEMINI_FRAMING,
    unbilled: true,
    responseKind: () => 'json',
    check: (document) => checkCount(document, model),
    read: (body) => ({ ...fromGeminiRequest(body, model, false), choiceCount: 0, others: [] }),
    texts: ({ sent, path }) => geminiRequestTexts(sent, GEMINI_CALL_PLACES, path),
    covered: ({ sent }, texts) => geminiCoverage(sent, texts),
    addToPrompt: () => undefined,
    boundInputTokens: boundGeminiInput,
    fieldNames: () => ({ maxOutputTokens: 'contents', input: 'contents' }),
    furtherModels: (value) => furtherModels(withoutModel(value), GEMINI_CALL_PLACES, ''),
    namedIds: namedInGeminiCall,
    format: () => new TextlessFormat(RESPONSE_PLACES, readCount),
  };
}

/** @throws GatewayError if there is no request, something is beside a whole request, or it names another model than the path */
function checkCount(document: JsonDocument, model: string): CountBody {
  const value = inCamelCase(document.value);
  const { contents, [WHOLE]: whole } = checkBody(geminiCountRequestSchema, { value }, GEMINI_CALL_PLACES);
  if (contents === undefined && whole === undefined)
    throw new GatewayError('invalid_value', `'contents' is missing.`, { param: 'contents' });
  const sent = document.value as GeminiBody['sent'];
  const beside = Object.keys(sent).find((field) => inCamelCaseName(field) !== WHOLE);
  if (whole !== undefined && beside !== undefined)
    throw new GatewayError('invalid_value', `'${beside}' is not allowed beside '${WHOLE}'.`, { param: beside });
  if (whole === undefined) return { sent, read: { ...(value as object), contents: contents ?? [] }, path: [] };
  const name = Object.keys(sent).find((field) => inCamelCaseName(field) === WHOLE) ?? WHOLE;
  checkModelOfPath(whole.model, model, `${name}.model`);
  return { sent: sent[name] as GeminiBody['sent'], read: whole, path: [name] };
}

/** Parses `{"totalTokens": 14}`; Google omits a count of 0. Counted tokens are not usage. */
function readCount({ totalTokens = 0, error }: Readonly<Record<string, unknown>>): TextlessResponse {
  return {
    usage: { inputTokens: 0, outputTokens: 0 },
    fault: error === undefined && Number.isSafeInteger(totalTokens) ? undefined : 'no token count',
  };
}
