/**
 * The fields of a Converse and ConverseStream request that the gateway writes.
 * Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (SDK 3.1162.0).
 */
export interface ConverseRequest {
  readonly messages: readonly ConverseMessage[];
  readonly system?: readonly (ConverseText | ConverseCachePoint)[];
  readonly inferenceConfig?: {
    readonly maxTokens?: number;
    readonly temperature?: number;
    readonly topP?: number;
    readonly stopSequences?: readonly string[];
  };
  readonly toolConfig?: {
    readonly tools: readonly (ConverseTool | ConverseCachePoint)[];
    readonly toolChoice?: ConverseToolChoice;
  };
  readonly outputConfig?: ConverseOutputConfig;
  readonly serviceTier?: { readonly type: 'default' | 'priority' | 'flex' };
  /** Fields that only this model supports, by its maker's names. */
  readonly additionalModelRequestFields?: Readonly<Record<string, unknown>>;
}

/** Ends what a prompt cache keeps. */
export interface ConverseCachePoint {
  readonly cachePoint: { readonly type: 'default'; readonly ttl?: '5m' | '1h' };
}

export interface ConverseMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ConverseBlock[];
}

export interface ConverseText {
  readonly text: string;
}

interface Bytes {
  readonly bytes: Uint8Array;
}

/** Content of user messages and tool results. */
export type ConverseInput =
  | ConverseText
  | { readonly image: { readonly format: string; readonly source: Bytes } }
  | { readonly document: { readonly format: string; readonly name: string; readonly source: Bytes } };

export type ConverseBlock =
  | ConverseInput
  | ConverseCachePoint
  | { readonly audio: { readonly format: string; readonly source: Bytes } }
  | {
      readonly reasoningContent:
        | { readonly reasoningText: ConverseText & { readonly signature?: string } }
        | { readonly redactedContent: Uint8Array };
    }
  | {
      readonly toolUse: {
        readonly toolUseId: string;
        readonly name: string;
        readonly input: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly toolResult: { readonly toolUseId: string; readonly content: readonly ConverseInput[] } };

export interface ConverseTool {
  readonly toolSpec: {
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: { readonly json: Readonly<Record<string, unknown>> };
    readonly strict?: boolean;
  };
}

export type ConverseToolChoice =
  | { readonly auto: object }
  | { readonly any: object }
  | { readonly tool: { readonly name: string } };

export interface ConverseOutputConfig {
  readonly textFormat: {
    readonly type: 'json_schema';
    readonly structure: {
      readonly jsonSchema: { readonly schema: string; readonly name?: string; readonly description?: string };
    };
  };
}
