/**
 * The gateway's own model of a chat: what every inbound protocol is read into and every provider is written from.
 * Same-protocol calls pass bytes through and use this model only to look at the content.
 */

export type ChatRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** An https address, or a `data:` URL that holds the image itself. */
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
  /** Tool messages only: the call that this answers. */
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
  /** As the caller wrote it, a `provider/` prefix included. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  /** Streams only: the caller asked for the usage chunk. */
  readonly includeUsage: boolean;
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  /** 0: no model writes an answer. */
  readonly choiceCount: number;
  readonly endUser?: string;
  /** Fields of the inbound request that this model has no place for, by name; a translating provider refuses those it cannot honour. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** What only a provider of the caller's own protocol can do, by the caller's names: `tools[0]`. Any other refuses it. */
  readonly untranslatable?: readonly string[];
  /**
   * What the caller calls what stands here under a chat completion's name: `messages[1]` is his `input[0]`. A field of `extra`
   * that is named here is a chat completion's own.
   */
  readonly callersNames?: Readonly<Record<string, string>>;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Token counts as the provider reports them; undefined is unknown, never 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Of the input tokens, those read from the provider's prompt cache. */
  readonly cachedInputTokens?: number;
  /** Of the input tokens, those written to it. */
  readonly cacheWriteInputTokens?: number;
  /** Of the output tokens, those spent on reasoning. */
  readonly reasoningTokens?: number;
}

export interface ChatChoice {
  readonly index: number;
  /** null when the model gave only tool calls. */
  readonly text: string | null;
  readonly refusal?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finishReason: FinishReason;
}

/** A whole answer, translated from a provider of another protocol. */
export interface ChatCompletion {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: Usage;
}

/** One step of a streamed answer, translated from a provider of another protocol; in the provider's order. */
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
