import * as z from 'zod';
import { readObject } from '../../kernel/json/index.ts';

/** A provider's error, as far as its body describes it. */
export interface ProviderErrorBody {
  readonly message: string;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
}

const MOST_DETAILS = 3;

const text = z.string().min(1);
const fields = {
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  param: z.string().nullish(),
};
/** FastAPI's: https://fastapi.tiangolo.com/tutorial/handling-errors/ */
const details = z.preprocess(
  // The schema takes microseconds for each.
  (list) => (Array.isArray(list) ? list.slice(0, MOST_DETAILS) : list),
  z.array(z.object({ msg: text, loc: z.array(z.union([z.string(), z.number()])).optional() })).min(1),
);

/** The bodies of servers that speak OpenAI's protocol, and often return errors in another. */
const bodySchema = z.union([
  // OpenAI, OpenRouter, vLLM: https://platform.openai.com/docs/guides/error-codes
  z.object({ error: z.object({ message: text, ...fields }) }),
  // Ollama, Text Generation Inference
  z.object({ error: text, error_type: z.string().optional() }),
  // Mistral, Cohere, older versions of vLLM
  z.object({ message: z.union([text, z.object({ detail: details })]), ...fields }),
  z.object({ detail: z.union([text, details]) }),
]);
type Body = z.infer<typeof bodySchema>;

/** Reads an error's body; undefined if it is none that we know. A code that only repeats the status is left out. */
export function readProviderError(body: string, status?: number): ProviderErrorBody | undefined {
  try {
    const json: unknown = JSON.parse(body);
    // Google's streams return a list with one error.
    const { data } = bodySchema.safeParse(Array.isArray(json) ? json[0] : json);
    return data && toError(data, status);
  } catch {
    return undefined;
  }
}

/** No error of a provider is longer. */
export const MAX_ERROR_BYTES = 64 * 1024;

/** A member `error` with a value, or a type or object of that name. In a text such quotation marks are escaped. */
const MAY_HOLD_ERROR = /"error"\s*:\s*[{"]|"(?:type|object)"\s*:\s*"error"/;

/** The error that a response's JSON, whole or one event, has instead of its content; undefined if it has none that we know. */
export function errorIn(json: string): ProviderErrorBody | undefined {
  if (json.length > MAX_ERROR_BYTES || !MAY_HOLD_ERROR.test(json)) return undefined;
  const body = readObject(json);
  if (body === undefined) return undefined;
  // A failed response of the Responses API has a member `error` beside its output.
  const hasError = body.error != null && !Array.isArray(body.output);
  return hasError || body.type === 'error' || body.object === 'error' ? readProviderError(json) : undefined;
}

function toError(body: Body, status: number | undefined): ProviderErrorBody {
  if ('detail' in body) return ofDetails(body.detail);
  if ('error' in body && typeof body.error === 'string') return { message: body.error };
  const { message, type, code, param } = 'error' in body ? (body.error as ErrorFields) : body;
  const known = {
    type: type || undefined,
    code: code == null || code === '' || Number(code) === status ? undefined : String(code),
    param: param || undefined,
  };
  if (typeof message === 'string') return { message, ...known };
  const own = ofDetails(message.detail);
  return { ...known, ...own, param: known.param ?? own.param };
}

interface ErrorFields {
  readonly message: string;
  readonly type?: string | null | undefined;
  readonly code?: string | number | null | undefined;
  readonly param?: string | null | undefined;
}

function ofDetails(detail: string | z.infer<typeof details>): ProviderErrorBody {
  if (typeof detail === 'string') return { message: detail };
  const placed = detail.map(({ msg, loc = [] }) => ({ msg, place: loc.filter((part) => part !== 'body').join('.') }));
  const shown = placed.map(({ msg, place }) => (place === '' ? msg : `${place}: ${msg}`));
  return { message: shown.join('; '), param: placed[0]?.place || undefined };
}
