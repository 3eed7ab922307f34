import type { ChatCompletion, ChatDelta, FinishReason, ToolCall, Usage } from '../../../kernel/model/index.ts';
import { textInput } from '../bodies/text-tools.ts';
import type { ResponseIdentity } from '../protocol.ts';
import { toItemId } from './responses-items.ts';
import type { ResponsesRequest } from './responses-schema.ts';
import { type NamedTool, toolsByFlatName } from './responses-tools.ts';

type PartKind = 'output_text' | 'refusal';

interface OpenMessage {
  readonly at: number;
  readonly parts: { readonly kind: PartKind; text: string }[];
}

interface OpenReasoning {
  readonly at: number;
  text: string;
}

interface OpenCall {
  readonly at: number;
  readonly call: { -readonly [Field in keyof ToolCall]: ToolCall[Field] };
}

/** Encodes a translated stream as response events: each item is added, grows, and is done. */
export class ResponsesEncoder {
  private head: ResponseHead;
  /** A response is one choice: a provider may return others, which were not asked for. */
  private choice: number | undefined;
  private readonly output: object[] = [];
  private message: OpenMessage | undefined;
  private reasoning: OpenReasoning | undefined;
  /** By the provider's index. Arguments of several calls may interleave, so all calls stay open until the end. */
  private readonly calls = new Map<number, OpenCall>();
  private finish: FinishReason | undefined;
  private usage: Usage = {};
  private started = false;
  private sequence = 0;

  constructor(head: ResponseHead) {
    this.head = head;
  }

  encode(delta: ChatDelta): object[] {
    if ('choice' in delta) {
      this.choice ??= delta.choice;
      if (delta.choice !== this.choice) return [];
    }
    switch (delta.type) {
      case 'start':
        this.head = { ...this.head, model: delta.model || this.head.model };
        return this.start();
      case 'text':
        return this.addText('output_text', delta.text);
      case 'reasoning':
        return this.addReasoning(delta.text);
      case 'signed':
        return [];
      case 'refusal':
        return this.addText('refusal', delta.text);
      case 'tool_call':
        return this.call(delta.index, { id: delta.id, name: delta.name, arguments: '' });
      case 'tool_arguments':
        return this.addArguments(delta.index, delta.text);
      case 'finish':
        this.finish = delta.reason;
        return [];
      case 'usage':
        this.usage = delta.usage;
        return [];
    }
  }

  /** The end of the response. Usage comes after the finish reason, so both are sent here. */
  end(): object[] {
    if (this.finish === undefined) return [];
    const events = [...this.start(), ...this.endReasoning(), ...this.endMessage(), ...this.endCalls()];
    const state = { ...endState(this.finish), output: this.output, usage: this.usage };
    const response = toResponseObject(this.head, state);
    return [...events, this.event(`response.${state.status}`, { response })];
  }

  private start(): object[] {
    if (this.started) return [];
    this.started = true;
    const response = toResponseObject(this.head, { status: 'in_progress', output: [] });
    return [this.event('response.created', { response }), this.event('response.in_progress', { response })];
  }

  /** As OpenAI streams the reasoning of its open models. */
  private addReasoning(text: string): object[] {
    const events = [...this.start(), ...this.endMessage()];
    if (this.reasoning === undefined) {
      this.reasoning = { at: this.output.length, text: '' };
      const { at } = this.reasoning;
      const item = reasoningItem(this.head, at, 'in_progress', '');
      this.output.push(item);
      const part = { item_id: item.id, output_index: at, content_index: 0, part: reasoningPart('') };
      events.push(
        this.event('response.output_item.added', { output_index: at, item }),
        this.event('response.content_part.added', part),
      );
    }
    this.reasoning.text += text;
    events.push(this.event('response.reasoning_text.delta', { ...this.reasoningPlace(), delta: text }));
    return events;
  }

  private reasoningPlace(): object {
    const { at } = this.reasoning as OpenReasoning;
    const { id } = this.output[at] as { id: string };
    return { item_id: id, output_index: at, content_index: 0 };
  }

  private endReasoning(): object[] {
    if (this.reasoning === undefined) return [];
    const { at, text } = this.reasoning;
    const item = reasoningItem(this.head, at, 'completed', text);
    const place = this.reasoningPlace();
    this.output[at] = item;
    this.reasoning = undefined;
    return [
      this.event('response.reasoning_text.done', { ...place, text }),
      this.event('response.content_part.done', { ...place, part: reasoningPart(text) }),
      this.event('response.output_item.done', { output_index: at, item }),
    ];
  }

  private addText(kind: PartKind, text: string): object[] {
    const events = [...this.start(), ...this.endReasoning()];
    if (this.message === undefined) {
      this.message = { at: this.output.length, parts: [] };
      const item = messageItem(this.head, this.message.at, 'in_progress', []);
      this.output.push(item);
      events.push(this.event('response.output_item.added', { output_index: this.message.at, item }));
    }
    const { parts } = this.message;
    if (parts.at(-1)?.kind !== kind) {
      events.push(...this.endPart());
      parts.push({ kind, text: '' });
      events.push(this.event('response.content_part.added', { ...this.partPlace(), part: partOf(kind, '') }));
    }
    const part = parts.at(-1) as OpenMessage['parts'][number];
    part.text += text;
    const logprobs = kind === 'output_text' ? { logprobs: [] } : {};
    events.push(this.event(`response.${kind}.delta`, { ...this.partPlace(), delta: text, ...logprobs }));
    return events;
  }

  /** The position of the message's last part. */
  private partPlace(): object {
    const { at, parts } = this.message as OpenMessage;
    const { id } = this.output[at] as { id: string };
    return { item_id: id, output_index: at, content_index: parts.length - 1 };
  }

  private endPart(): object[] {
    const part = this.message?.parts.at(-1);
    if (part === undefined) return [];
    const { kind, text } = part;
    const whole = kind === 'refusal' ? { refusal: text } : { text, logprobs: [] };
    return [
      this.event(`response.${kind}.done`, { ...this.partPlace(), ...whole }),
      this.event('response.content_part.done', { ...this.partPlace(), part: partOf(kind, text) }),
    ];
  }

  private endMessage(): object[] {
    if (this.message === undefined) return [];
    const { at, parts } = this.message;
    const events = this.endPart();
    const status = this.finish === 'length' && this.calls.size === 0 ? 'incomplete' : 'completed';
    const content = parts.map(({ kind, text }) => partOf(kind, text));
    const item = messageItem(this.head, at, status, content);
    this.output[at] = item;
    this.message = undefined;
    return [...events, this.event('response.output_item.done', { output_index: at, item })];
  }

  private call(index: number, call: ToolCall): object[] {
    const events = [...this.start(), ...this.endReasoning(), ...this.endMessage()];
    const at = this.output.length;
    this.calls.set(index, { at, call: { ...call } });
    const item = callItem(this.head, at, call, 'in_progress');
    this.output.push(item);
    return [...events, this.event('response.output_item.added', { output_index: at, item })];
  }

  private addArguments(index: number, text: string): object[] {
    const open = this.calls.get(index);
    if (open === undefined || text === '') return [];
    open.call.arguments += text;
    // The text of such a call is known when its arguments are whole.
    if (this.head.tools.get(open.call.name)?.takesText) return [];
    const { id } = this.output[open.at] as { id: string };
    return [this.event('response.function_call_arguments.delta', { item_id: id, output_index: open.at, delta: text })];
  }

  private endCalls(): object[] {
    return [...this.calls.values()].flatMap(({ at, call }) => {
      const item = callItem(this.head, at, call, 'completed');
      this.output[at] = item;
      const place = { item_id: item.id, output_index: at };
      const done = () => this.event('response.output_item.done', { output_index: at, item });
      if ('input' in item) {
        const { input } = item;
        return [
          this.event('response.custom_tool_call_input.delta', { ...place, delta: input }),
          this.event('response.custom_tool_call_input.done', { ...place, input }),
          done(),
        ];
      }
      const { name, arguments: text } = item;
      return [this.event('response.function_call_arguments.done', { ...place, name, arguments: text }), done()];
    });
  }

  private event(type: string, fields: object): object {
    return { type, sequence_number: this.sequence++, ...fields };
  }
}

function partOf(kind: PartKind, text: string): object {
  return kind === 'refusal' ? refusalPart(text) : textPart(text);
}

/** Request fields that every response repeats, and the source of its ids. */
export interface ResponseHead {
  /** Without a prefix. */
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly asked: ResponsesRequest;
  /** The tools of the request by their names at the provider. */
  readonly tools: ReadonlyMap<string, NamedTool>;
}

export function responseHead({ requestId, created, model }: ResponseIdentity, asked: ResponsesRequest): ResponseHead {
  const tools = toolsByFlatName(asked.tools ?? []);
  return { id: requestId.slice('req_'.length), createdAt: created, model, asked, tools };
}

/** The variable fields of a response. It cannot be fetched by its id, so `store` is false; its items are stored. */
interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete';
  readonly incompleteReason?: 'max_output_tokens' | 'content_filter' | undefined;
  readonly output: readonly object[];
  readonly usage?: Usage;
}

/** A response object in OpenAI's format. */
export function toResponseObject({ id, createdAt, model, asked }: ResponseHead, state: ResponseState): object {
  const { status, incompleteReason, output, usage } = state;
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAt,
    status,
    background: false,
    error: null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    model,
    output,
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: asked.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: asked.temperature ?? null,
    text: asked.text ?? { format: { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? null,
    truncation: 'disabled',
    ...(usage === undefined ? { usage: null } : toResponsesUsageField(usage)),
    user: asked.user ?? null,
    metadata: asked.metadata ?? {},
  };
}

/** The response state for a finish reason. */
function endState(reason: FinishReason): Pick<ResponseState, 'status' | 'incompleteReason'> {
  if (reason === 'length') return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
  if (reason === 'content_filter') return { status: 'incomplete', incompleteReason: 'content_filter' };
  return { status: 'completed' };
}

/** A translated response with gateway ids. */
export function encodeResponse({ model, choices, usage }: ChatCompletion, head: ResponseHead): object {
  const choice = choices[0];
  const parts = [
    ...(choice?.text != null && choice.text !== '' ? [textPart(choice.text)] : []),
    ...(choice?.refusal !== undefined ? [refusalPart(choice.refusal)] : []),
  ];
  const { toolCalls = [] } = choice ?? {};
  const reasoning = choice?.reasoning;
  const output: object[] = reasoning === undefined ? [] : [reasoningItem(head, 0, 'completed', reasoning)];
  if (parts.length > 0) output.push(messageItem(head, output.length, 'completed', parts));
  for (const call of toolCalls) output.push(callItem(head, output.length, call, 'completed'));
  const state = endState(choice?.finishReason ?? 'stop');
  return toResponseObject({ ...head, model: model || head.model }, { ...state, output, usage });
}

function textPart(text: string): object {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function refusalPart(refusal: string): object {
  return { type: 'refusal', refusal };
}

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

function messageItem({ id }: ResponseHead, at: number, status: ItemStatus, content: readonly object[]) {
  return { id: toItemId('msg', id, at), type: 'message', status, role: 'assistant', content };
}

/** A summary would be shorter than the reasoning, and there is none. */
function reasoningItem({ id }: ResponseHead, at: number, status: ItemStatus, text: string) {
  const content = status === 'in_progress' ? [] : [reasoningPart(text)];
  return { id: toItemId('rs', id, at), type: 'reasoning', status, summary: [], content };
}

function reasoningPart(text: string): object {
  return { type: 'reasoning_text', text };
}

function callItem({ id, tools }: ResponseHead, at: number, call: ToolCall, status: ItemStatus) {
  const { id: callId, arguments: text } = call;
  const { name, namespace, takesText } = tools.get(call.name) ?? { name: call.name, takesText: false };
  const named = { call_id: callId, name, ...(namespace !== undefined && { namespace }) };
  if (takesText) {
    const input = status === 'in_progress' ? '' : textInput(text);
    return { id: toItemId('ctc', id, at), type: 'custom_tool_call', status, input, ...named };
  }
  return { id: toItemId('fc', id, at), type: 'function_call', status, arguments: text, ...named };
}

/** `usage` in the format of the API; no field if nothing is known, since unknown is not 0. */
export function toResponsesUsageField(usage: Usage): object {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteInputTokens, reasoningTokens = 0 } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return {
    usage: {
      input_tokens: input,
      input_tokens_details: {
        cached_tokens: cachedInputTokens,
        ...(cacheWriteInputTokens !== undefined && { cache_write_tokens: cacheWriteInputTokens }),
      },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: input + output,
    },
  };
}
