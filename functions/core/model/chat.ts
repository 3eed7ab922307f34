/**
 * The gateway's own model of a chat: each protocol is decoded into it, and each translating provider encodes from it. Calls in the
 * same protocol forward the bytes and use it only to read the content.
 */

export type ChatRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** An https URL, or a `data:` URL with the image. */
  readonly url: string;
  readonly detail?: string;
}

export interface AudioPart {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly format: string;
}

export interface FilePart {
  readonly type: 'file';
  readonly fileId?: string;
  readonly filename?: string;
  /** A `data:` URL. */
  readonly data?: string;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart | RefusalPart;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it; not necessarily valid JSON. */
  readonly arguments: string;
}

export interface ChatMessage {
  readonly role: ChatRole;
  readonly parts: readonly ContentPart[];
  readonly name?: string;
  /** Assistant messages only. */
  readonly toolCalls?: readonly ToolCall[];
  /** Tool messages only: the call of this result. */
  readonly toolCallId?: string;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

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
  readonly endUser?: string;
  /** Fields that this model does not have, by name; a translating provider rejects those that it does not support. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** What only a provider of the caller's protocol can do, in the caller's names: `tools[0]`. Other providers reject it. */
  readonly untranslatable?: readonly string[];
  /**
   * The caller's names of fields that have a chat completion's name here: `messages[1]` is their `input[0]`. A field of `extra` listed
   * here is a chat completion's field.
   */
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
  /** Output tokens spent on reasoning. */
  readonly reasoningTokens?: number;
}

export interface ChatChoice {
  readonly index: number;
  /** null if the model wrote only tool calls. */
  readonly text: string | null;
  readonly refusal?: string;
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
  | { readonly type: 'start'; readonly id: string; readonly model: string }
  | { readonly type: 'text'; readonly choice: number; readonly text: string }
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
