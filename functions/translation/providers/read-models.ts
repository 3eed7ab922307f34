import type { HttpClient } from '../../kernel/http/index.ts';
import { boundJson, isObject } from '../../kernel/json/index.ts';
import type { ReportedModel } from '../routing/index.ts';
import { providerStatusError, readBounded, unreadableResponse } from './provider-failures.ts';
import { bytesWithoutKey } from './provider-responses.ts';

/** The whole call: a client waits for the first list of a provider. */
const DEADLINE_MS = 5_000;
/** OpenRouter's list of about 500 models has 500 KB. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

interface ListRequest {
  readonly http: HttpClient;
  readonly url: string;
  /** A server could return it as a name. */
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A provider's list of models, in one call. Lists are `{"data": [{"id"}]}` (OpenAI, Anthropic), `{"models": [{"name"}]}` (Google, Cohere) or an
 * array (Together).
 * @throws GatewayError for a failure or another body, HttpFailure
 */
export async function readModels(provider: string, { http, url, key, headers }: ListRequest): Promise<ReportedModel[]> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const response = await http.send({
    method: 'GET',
    url,
    headers: { ...headers, accept: 'application/json' },
    headTimeoutMs: DEADLINE_MS,
    idleTimeoutMs: DEADLINE_MS,
    signal,
  });
  const text = await readBounded(bytesWithoutKey(response.body, key), MAX_LIST_BYTES);
  if (response.status !== 200) throw providerStatusError(provider, response.status, {}, undefined);
  const items = itemsOf(parse(text));
  if (items === undefined) throw unreadableResponse(provider, 'no list of models');
  return items.flatMap(toModel);
}

function parse(text: string): unknown {
  try {
    boundJson(text);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function itemsOf(list: unknown): readonly unknown[] | undefined {
  const items = isObject(list) ? (list.data ?? list.models) : list;
  return Array.isArray(items) ? items : undefined;
}

function toModel(item: unknown): ReportedModel[] {
  if (!isObject(item)) return [];
  const { id, name, supportedGenerationMethods: methods } = item;
  const model = typeof id === 'string' ? id : name;
  if (typeof model !== 'string') return [];
  return [
    { name: model, ...(Array.isArray(methods) && { methods: methods.filter((one) => typeof one === 'string') }) },
  ];
}
