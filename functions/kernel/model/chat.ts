/**
 * The gateway's own model of a chat: each protocol is decoded into it, and each translating provider encodes from it. Calls in the
 * same protocol forward the bytes and use it only to read the content.
 */

export type ChatRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

/** Asks a prompt cache to keep everything up to here. */
export interface CacheHint {
  readonly ttl?: '5m' | '1h';
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cache?: CacheHint;
}

export interface ImagePart {
  readonly type: 'image';
  /** An https URL, or a `data:` URL with the image. */
  readonly url: string;
  readonly detail?: string;
  readonly cache?: CacheHint;
}

export interface AudioPart {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly format: string;
  readonly cache?: CacheHint;
}

export interface FilePart {
  readonly type: 'file';
  readonly fileId?: string;
  readonly filename?: string;
  /** A `data:` URL. */
  readonly data?: string;
  readonly cache?: CacheHint;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
  readonly cache?: CacheHint;
}

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart | RefusalPart;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it; not necessarily valid JSON. */
  readonly arguments: string;
  readonly cache?: CacheHint;
}

/** What a model signed or encrypted of its reasoning, in its API's form: only that model reads it, unchanged and in its place. */
export interface SignedPart {
  readonly block: Readonly<Record<string, unknown>>;
  /** The characters of the message's text before it. */
  readonly text: number;
  /** The tool calls before it. */
  readonly calls: number;
}

export interface ChatMessage {
  readonly role: ChatRole;
  readonly parts: readonly ContentPart[];
  readonly name?: string;
  /** Assistant messages only. */
  readonly toolCalls?: readonly ToolCall[];
  /** Assistant messages only: unsigned reasoning before the text and the calls. */
  readonly reasoning?: string;
  /** Assistant messages only: what the target itself signed of the reasoning, which `reasoning` may repeat. */
  readonly signed?: readonly SignedPart[];
  /** Tool messages only: the call of this result. */
  readonly toolCallId?: string;
  /** Tool messages only. */
  readonly cache?: CacheHint;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
  readonly cache?: CacheHint;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/**
 * What a field means for which `ChatRequest` has no member. `hint`: tunes or labels, without an equivalent in any other API.
 * `essential`: changes the result, without an equivalent.
 */
export const MEANINGS = [
  'reasoning_effort',
  'thinking',
  'response_format',
  'seed',
  'top_k',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'verbosity',
  'service_tier',
  'end_user',
  'cache_hint',
  'image_detail',
  'hint',
  'essential',
] as const;
export type Meaning = (typeof MEANINGS)[number];

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** The value of `thinking`: a budget, or a level, or neither where the model decides. */
export interface Thinking {
  /** Tokens; 0 disables it. */
  readonly budget?: number;
  readonly effort?: Effort;
  /** It is off by the name of Anthropic's default: sent only to models that think by default. */
  readonly off?: true;
}

/** The value of `response_format`: JSON, by a schema if there is one. */
export interface JsonFormat {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly description?: string;
  readonly strict?: boolean;
}

/** A field for which `ChatRequest` has no member. */
export interface OtherField {
  /** As the caller wrote it: `generationConfig.topK`, `tools[0]`. */
  readonly path: string;
  readonly meaning: Meaning;
  /** `Thinking` and `JsonFormat` for these two meanings; for all others as the caller wrote it. */
  readonly value: unknown;
  /** What the caller can do instead, for errors. Of a hint: how the provider gets it in another place, for its warning. */
  readonly instead?: string;
  /** The API's own details of the error, by which its clients send the request in another form. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  /** As the caller wrote it, including a `provider/` prefix. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  /** Streams only: the caller requested the usage chunk. */
  readonly includeUsage: boolean;
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  /** 0 if no model writes a response. */
  readonly choiceCount: number;
  /** Whether its provider goes on with the response if the call ends. */
  readonly isInBackground?: boolean;
  /** All other fields that have an effect, for a provider of another protocol. */
  readonly others: readonly OtherField[];
  /** The caller's names of what has a chat completion's name here: `messages[1]` is their `input[0]`. */
  readonly callersNames?: Readonly<Record<string, string>>;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Token counts as the provider reports them; undefined is unknown, never 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Input tokens read from the provider's prompt cache. */
  readonly cachedInputTokens?: number;
  /** Input tokens written to it. */
  readonly cacheWriteInputTokens?: number;
  /** Of those: kept for an hour. */
  readonly cacheWriteHourInputTokens?: number;
  /** Input tokens of audio. */
  readonly audioInputTokens?: number;
  readonly audioOutputTokens?: number;
  /** Output tokens spent on reasoning. */
  readonly reasoningTokens?: number;
  /** Searches of the web by the provider, which have a fee. */
  readonly searches?: number;
  /** Searches by a tool with another fee (OpenAI's preview tool, Google Maps); not in `searches`. */
  readonly otherSearches?: number;
  /** What served the request and changes the price, as the provider names it: `priority`, `fast`, `us`. */
  readonly terms?: Readonly<Partial<Record<Term, string>>>;
  /** Fees whose amount the usage does not show. */
  readonly otherFees?: readonly OtherFee[];
  /** What the provider says that the request costs, in nano-dollars. */
  readonly reportedNanoUsd?: number;
  /** What the limits reserved: the cost of a request at a provider that reports it, and did not. */
  readonly reservedNanoUsd?: number;
  /** Counts that the provider did not report. */
  readonly estimated?: readonly ('inputTokens' | 'outputTokens')[];
}

/** Nano-dollars as US dollars. */
export function toUsd(nanos: number): number {
  return nanos / 1e9;
}

/** Terms of a request that multiply the price of its tokens. */
export const TERMS = ['serviceTier', 'speed', 'inferenceGeo'] as const;
export type Term = (typeof TERMS)[number];

/** Fees of a provider's own tools and models that no count in the usage covers. */
export const OTHER_FEES = ['fileSearch', 'codeExecution', 'imageGeneration', 'furtherModel'] as const;
export type OtherFee = (typeof OTHER_FEES)[number];

/** Charges that a record can name as unknown. `tokens`: no price of the model is known. */
export const UNKNOWN_CHARGES = [
  'tokens',
  'inputTokens',
  'outputTokens',
  'cacheWriteInputHour',
  'inputAudio',
  'outputAudio',
  'webSearch',
  ...TERMS,
  ...OTHER_FEES,
] as const;
export type UnknownCharge = (typeof UNKNOWN_CHARGES)[number];

export interface ChatChoice {
  readonly index: number;
  /** null if the model wrote only tool calls. */
  readonly text: string | null;
  readonly refusal?: string;
  /** As text: unsigned, or a summary of what is signed. */
  readonly reasoning?: string;
  readonly signed?: readonly SignedPart[];
  readonly toolCalls?: readonly ToolCall[];
  readonly finishReason: FinishReason;
}

/** A whole response, translated from a provider of another protocol. */
export interface ChatCompletion {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: Usage;
}

/** One step of a streamed response, translated from a provider of another protocol, in the provider's order. */
export type ChatDelta =
  /** `usage`: what is known of it at the start, in case the stream is cut. */
  | { readonly type: 'start'; readonly id: string; readonly model: string; readonly usage?: Usage }
  | { readonly type: 'text'; readonly choice: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly choice: number; readonly text: string }
  /** A `SignedPart` at this place of the choice. */
  | { readonly type: 'signed'; readonly choice: number; readonly block: SignedPart['block'] }
  | { readonly type: 'refusal'; readonly choice: number; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly choice: number;
      readonly index: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly type: 'tool_arguments'; readonly choice: number; readonly index: number; readonly text: string }
  | { readonly type: 'finish'; readonly choice: number; readonly reason: FinishReason }
  | { readonly type: 'usage'; readonly usage: Usage };
