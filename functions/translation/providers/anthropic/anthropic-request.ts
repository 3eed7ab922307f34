/**
 * The fields of a Messages API request that the gateway writes (POST /v1/messages, version 2023-06-01).
 * Source: the types of @anthropic-ai/sdk 1.11.0, resources/messages.
 */
export interface AnthropicRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly AnthropicMessage[];
  readonly stream: boolean;
  readonly system?: readonly AnthropicTextBlock[];
  readonly tools?: readonly AnthropicTool[];
  readonly tool_choice?: AnthropicToolChoice;
  readonly stop_sequences?: readonly string[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly metadata?: { readonly user_id: string };
  readonly thinking?: AnthropicThinking;
  readonly output_config?: { readonly effort?: AnthropicEffort; readonly format?: AnthropicFormat };
}

export interface AnthropicFormat {
  readonly type: 'json_schema';
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface AnthropicCacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

/** Members that every block and tool may have. */
interface Cached {
  readonly cache_control?: AnthropicCacheControl;
}

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly AnthropicBlock[];
}

export interface AnthropicTextBlock extends Cached {
  readonly type: 'text';
  readonly text: string;
}

export interface AnthropicImageBlock extends Cached {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'url'; readonly url: string }
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

export interface AnthropicDocumentBlock extends Cached {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string };
  readonly title?: string;
}

export type AnthropicInputBlock = AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock;

export interface AnthropicToolUseBlock extends Cached {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface AnthropicToolResultBlock extends Cached {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: readonly AnthropicInputBlock[];
}

/** As the API returned it. */
export interface AnthropicThinkingBlock {
  readonly type: 'thinking' | 'redacted_thinking';
}

export type AnthropicBlock =
  | AnthropicInputBlock
  | AnthropicThinkingBlock
  | AnthropicToolUseBlock
  | AnthropicToolResultBlock;

export interface AnthropicTool extends Cached {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}

export type AnthropicToolChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'none' };

export type AnthropicEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type AnthropicThinking =
  | { readonly type: 'enabled'; readonly budget_tokens: number }
  | { readonly type: 'adaptive' }
  | { readonly type: 'disabled' };
