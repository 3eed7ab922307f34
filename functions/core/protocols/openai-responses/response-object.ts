import type { ChatCompletion, FinishReason, ToolCall, Usage } from '../../model/chat.ts';
import type { AnswerHead } from '../answer-format.ts';
import type { ResponsesRequest } from './responses-request-schema.ts';
import { responsesUsageField } from './responses-usage.ts';

/** What every response that we write tells of its request, and what its ids are made of. */
export interface ResponseHead {
  /** Without a prefix. */
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly asked: ResponsesRequest;
}

export function responseHead({ requestId, created, model }: AnswerHead, asked: ResponsesRequest): ResponseHead {
  return { id: requestId.slice('req_'.length), createdAt: created, model, asked };
}

/** How a response stands: nothing of it is kept, since its provider knows no responses. */
export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete';
  readonly incompleteReason?: 'max_output_tokens' | 'content_filter' | undefined;
  readonly output: readonly object[];
  readonly usage?: Usage;
}

/** A response of our own, as its fields stand in OpenAI's. */
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
    ...(usage === undefined ? { usage: null } : responsesUsageField(usage)),
    user: asked.user ?? null,
    metadata: asked.metadata ?? {},
  };
}

/** How an answer ended, as a response's state. */
export function endState(reason: FinishReason): Pick<ResponseState, 'status' | 'incompleteReason'> {
  if (reason === 'length') return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
  if (reason === 'content_filter') return { status: 'incomplete', incompleteReason: 'content_filter' };
  return { status: 'completed' };
}

/** A translated answer as a response with ids of ours. */
export function encodeResponse({ model, choices, usage }: ChatCompletion, head: ResponseHead): object {
  const choice = choices[0];
  const parts = [
    ...(choice?.text != null && choice.text !== '' ? [textPart(choice.text)] : []),
    ...(choice?.refusal !== undefined ? [refusalPart(choice.refusal)] : []),
  ];
  const { toolCalls = [] } = choice ?? {};
  const output = [
    ...(parts.length > 0 ? [messageItem(head, 0, 'completed', parts)] : []),
    ...toolCalls.map((call, at) => callItem(head, at + (parts.length > 0 ? 1 : 0), call, 'completed')),
  ];
  const state = endState(choice?.finishReason ?? 'stop');
  return toResponseObject({ ...head, model: model || head.model }, { ...state, output, usage });
}

export function textPart(text: string): object {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

export function refusalPart(refusal: string): object {
  return { type: 'refusal', refusal };
}

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export function messageItem({ id }: ResponseHead, at: number, status: ItemStatus, content: readonly object[]) {
  return { id: `msg_${id}${at}`, type: 'message', status, role: 'assistant', content };
}

export function callItem({ id }: ResponseHead, at: number, call: ToolCall, status: ItemStatus) {
  const { id: callId, name, arguments: text } = call;
  return { id: `fc_${id}${at}`, type: 'function_call', status, arguments: text, call_id: callId, name };
}
