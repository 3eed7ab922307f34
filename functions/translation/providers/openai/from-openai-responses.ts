import * as z from 'zod';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { ChatCompletion, ChatDelta, FinishReason, SignedPart, ToolCall } from '../../../kernel/model/index.ts';
import { fromResponsesUsage } from '../../protocols/bodies/provider-usage.ts';
import { parseTranslated } from '../../protocols/bodies/response-structure.ts';
import type { Translation } from '../../routing/index.ts';
import { errorInResponse, failedInResponse, unreadableResponse } from '../provider-failures.ts';

const Part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
  annotations: z.array(z.unknown()).nullish().catch(undefined),
});
const Item = z.looseObject({
  type: z.string(),
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
  content: z.array(Part).nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  /** Of reasoning. */
  summary: z
    .array(z.looseObject({ text: z.string().catch('') }))
    .nullish()
    .catch(undefined),
  encrypted_content: z.string().nullish().catch(undefined),
});
type Item = z.infer<typeof Item>;
const Response = z.looseObject({
  id: z.string(),
  model: z.string(),
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish().catch(undefined),
  error: z.looseObject({ code: z.string().nullish(), message: z.string() }).nullish().catch(undefined),
  output: z.array(Item),
  usage: z.unknown().optional(),
});
type Response = z.infer<typeof Response>;
const Event = z.looseObject({
  type: z.string(),
  output_index: z.int().optional(),
  delta: z.unknown().optional(),
  item: z.unknown().optional(),
  response: z.unknown().optional(),
});

/** Items that the gateway's model lacks: https://platform.openai.com/docs/api-reference/responses/object */
const ITEMS: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'computer_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'custom_tool_call',
]);

/** Reports a complete item that is left out. Types that are not known are the provider's text, and are not shown. */
function reportLost({ type, content }: Item, translation: Translation): void {
  if (type === 'function_call' || type === 'reasoning') return;
  if (type === 'message') {
    if (content?.some(({ text, refusal }) => text == null && refusal == null)) translation.lost('unknown');
    if (content?.some(({ annotations }) => annotations?.length)) translation.lost('annotations');
  } else translation.lost(ITEMS.has(type) ? type : 'unknown');
}

/** A whole response of the Responses API. Other items are left out with a warning. @throws GatewayError `provider_error` if the body is not one */
export function fromOpenAiResponse(body: string, provider: string, translation: Translation): ChatCompletion {
  const response = parse(Response, json(body, provider), provider);
  if (response.status === 'failed' || response.status === 'cancelled') throw failureOf(response, provider);
  for (const item of response.output) reportLost(item, translation);
  const { text, refusal, toolCalls, reasoning } = contentOf(response.output);
  const signed = signedIn(response.output);
  return {
    id: response.id,
    model: response.model,
    choices: [
      {
        index: 0,
        text: text === '' && toolCalls.length > 0 ? null : text,
        ...(refusal && { refusal }),
        ...(reasoning && { reasoning }),
        ...(signed.length > 0 && { signed }),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: toReason(response),
      },
    ],
    usage: fromResponsesUsage(response) ?? {},
  };
}

/** What the error of a failed response means: some are the caller's, such as a limit. */
function failureOf({ error }: Response, provider: string): GatewayError {
  if (error == null) return failedInResponse(provider, 'failed response');
  const { code, message } = error;
  return errorInResponse(provider, { message, ...(code && { code }) });
}

function contentOf(items: readonly Item[]) {
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
  const toolCalls = items
    .filter(({ type }) => type === 'function_call')
    .map((item): ToolCall => ({ id: item.call_id ?? '', name: item.name ?? '', arguments: item.arguments ?? '' }));
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    refusal: parts.map(({ refusal }) => refusal ?? '').join(''),
    reasoning: items.map(reasoningOf).join(''),
    toolCalls,
  };
}

/** The text of a reasoning item, or a summary of it. */
function reasoningOf({ type, content, summary }: Item): string {
  if (type !== 'reasoning') return '';
  const parts = content?.length ? content : (summary ?? []);
  return parts.map(({ text }) => text ?? '').join('\n\n');
}

/** A reasoning item as a request has it; undefined if it is not encrypted. */
function signedBlockOf({ type, id, summary, encrypted_content: encrypted }: Item): SignedPart['block'] | undefined {
  if (type !== 'reasoning' || !encrypted) return undefined;
  return { type, ...(id && { id }), summary: summary ?? [], encrypted_content: encrypted };
}

function signedIn(items: readonly Item[]): SignedPart[] {
  let text = 0;
  let calls = 0;
  return items.flatMap((item): SignedPart[] => {
    const block = signedBlockOf(item);
    const part = block && { block, text, calls };
    const said = contentOf([item]);
    text += said.text.length;
    calls += said.toolCalls.length;
    return part ? [part] : [];
  });
}

function toReason({ status, incomplete_details: details, output }: Response): FinishReason {
  if (status === 'incomplete') return details?.reason === 'content_filter' ? 'content_filter' : 'length';
  return output.some(({ type }) => type === 'function_call') ? 'tool_calls' : 'stop';
}

/** The deltas of a streamed response, event by event. */
export class OpenAiResponseReader {
  private readonly provider: string;
  private started = false;
  /** The calls by the index of their item. */
  private readonly calls = new Map<number, number>();
  /** Items of which a delta came: what their end repeats. */
  private readonly streamed = new Set<number>();

  private readonly translation: Translation;

  constructor(provider: string, translation: Translation) {
    this.provider = provider;
    this.translation = translation;
  }

  /** @throws GatewayError `provider_error` if the text is not an event */
  read(text: string): ChatDelta[] {
    const {
      type,
      output_index: at = 0,
      delta,
      item,
      response,
    } = parse(Event, json(text, this.provider), this.provider);
    switch (type) {
      case 'response.created':
        return this.start(parse(Response, response, this.provider));
      case 'response.output_text.delta':
        return this.piece(at, { type: 'text', choice: 0, text: this.textOf(delta) });
      case 'response.refusal.delta':
        return this.piece(at, { type: 'refusal', choice: 0, text: this.textOf(delta) });
      case 'response.output_item.added':
        return this.begin(at, parse(Item, item, this.provider));
      case 'response.function_call_arguments.delta':
        return this.piece(at, {
          type: 'tool_arguments',
          choice: 0,
          index: this.calls.get(at) ?? 0,
          text: this.textOf(delta),
        });
      case 'response.output_item.done':
        return this.end(at, parse(Item, item, this.provider));
      case 'response.completed':
      case 'response.incomplete':
        return this.finish(parse(Response, response, this.provider));
      case 'response.failed':
        throw failureOf(parse(Response, response, this.provider), this.provider);
      case 'error':
        throw failedInResponse(this.provider, 'failed response');
      default:
        return [];
    }
  }

  private textOf(delta: unknown): string {
    if (typeof delta === 'string') return delta;
    throw unreadableResponse(this.provider, 'delta that is no text');
  }

  private start({ id, model }: Response): ChatDelta[] {
    if (this.started) return [];
    this.started = true;
    return [{ type: 'start', id, model }];
  }

  private piece(at: number, delta: ChatDelta): ChatDelta[] {
    this.streamed.add(at);
    return [delta];
  }

  private begin(at: number, { type, call_id, name }: Item): ChatDelta[] {
    if (type !== 'function_call' || this.calls.has(at)) return [];
    const index = this.calls.size;
    this.calls.set(at, index);
    return [{ type: 'tool_call', choice: 0, index, id: call_id ?? '', name: name ?? '' }];
  }

  /** The content of an item that came without deltas. */
  private end(at: number, item: Item): ChatDelta[] {
    reportLost(item, this.translation);
    const begun = this.begin(at, item);
    if (this.streamed.has(at)) return begun;
    this.streamed.add(at);
    const { text, refusal, toolCalls, reasoning } = contentOf([item]);
    const block = signedBlockOf(item);
    const index = this.calls.get(at) ?? 0;
    return [
      ...begun,
      ...(reasoning ? [{ type: 'reasoning', choice: 0, text: reasoning } as const] : []),
      ...(block ? [{ type: 'signed', choice: 0, block } as const] : []),
      ...(text ? [{ type: 'text', choice: 0, text } as const] : []),
      ...(refusal ? [{ type: 'refusal', choice: 0, text: refusal } as const] : []),
      ...toolCalls.map((call) => ({ type: 'tool_arguments', choice: 0, index, text: call.arguments }) as const),
    ];
  }

  private finish(response: Response): ChatDelta[] {
    const usage = fromResponsesUsage(response);
    return [
      ...this.start(response),
      { type: 'finish', choice: 0, reason: toReason(response) },
      ...(usage ? [{ type: 'usage', usage } as const] : []),
    ];
  }
}

function json(text: string, provider: string): unknown {
  try {
    return parseTranslated(text);
  } catch {
    throw unreadableResponse(provider, 'response is not JSON');
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, provider: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw unreadableResponse(provider, 'response of an unknown shape');
  return result.data;
}
