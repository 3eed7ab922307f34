import type Anthropic from '@anthropic-ai/sdk';
import type * as Bedrock from '@aws-sdk/client-bedrock-runtime';
import type * as Gemini from '@google/genai';
import type OpenAI from 'openai';

/** Google's SDK names the members of a request's body, and flattens the body itself. */
interface GeminiRequest {
  contents: Gemini.Content[];
  systemInstruction?: Gemini.Content;
  tools?: Gemini.Tool[];
  toolConfig?: Gemini.ToolConfig;
  safetySettings?: Gemini.SafetySetting[];
  cachedContent?: string;
  generationConfig?: Gemini.GenerationConfig;
}

/** A request to embed one content; the SDK sends several. `model` must be the path's, so it is not a free field. */
interface GeminiEmbedRequest {
  content: Gemini.Content;
  taskType?: string;
  title?: string;
  outputDimensionality?: number;
}
type GeminiEmbedding = Pick<Gemini.ContentEmbedding, 'values'>;
type GeminiEmbedUsage = Pick<Gemini.UsageMetadata, 'promptTokenCount' | 'promptTokensDetails'>;

/** Fields that Google's SDK adds to a response; they are not on the wire. */
type GeminiAnswer = Pick<
  Gemini.GenerateContentResponse,
  'candidates' | 'createTime' | 'modelVersion' | 'promptFeedback' | 'responseId' | 'usageMetadata'
>;

/** What OpenAI's SDK adds to a response for its callers is on no wire. What the model says is followed before what is said again. */
type ResponseOnWire = Pick<OpenAI.Responses.Response, 'output'> &
  Omit<OpenAI.Responses.Response, 'output' | 'output_text'>;
type OnWire<T> = T extends { response: OpenAI.Responses.Response }
  ? Omit<T, 'response'> & { response: ResponseOnWire }
  : T;
/** An error event is no part of a response: the gateway returns it as its own error. */
type ResponseEvent = Exclude<OpenAI.Responses.ResponseStreamEvent, OpenAI.Responses.ResponseErrorEvent>;

/** A response without images is invalid. */
type ImagesAnswer = OpenAI.ImagesResponse & Required<Pick<OpenAI.ImagesResponse, 'data'>>;

/** The audio itself is bytes of a part of a form. */
type TranscriptionRequest = Omit<OpenAI.Audio.TranscriptionCreateParamsNonStreaming, 'file'>;

/** The images are bytes of parts of a form. */
type ImageEditRequest = Omit<OpenAI.ImageEditParamsNonStreaming, 'image' | 'mask'>;

/** `ImageRefParam` of OpenAI's OpenAPI document (github.com/openai/openai-openapi): one of both. */
type ImageReference = { image_url: string } | { file_id: string };

/** `EditImageBodyJsonParam` of that document: OpenAI's SDK sends forms alone. */
interface ImageEditJsonRequest extends ImageEditRequest {
  images: ImageReference[];
  mask?: ImageReference;
  moderation?: 'low' | 'auto' | null;
}

/** `CreateSpeechResponseStreamEvent` of that document, without a type in OpenAI's SDK. */
type SpeechEvent =
  | { type: 'speech.audio.delta'; audio: string }
  | { type: 'speech.audio.done'; usage: { input_tokens: number; output_tokens: number; total_tokens: number } };

/** Any JSON, as the SDK's documents are. */
type Document = NonNullable<Bedrock.ToolInputSchema.JsonMember['json']>;
/** A Converse call as JSON on the wire, where bytes are base64. */
type Wire<T> = [Document] extends [T] ? unknown : EachWire<T>;
type EachWire<T> = T extends Uint8Array
  ? string
  : T extends readonly (infer One)[]
    ? Wire<One>[]
    : T extends object
      ? { [Name in keyof T]: Wire<T[Name]> }
      : T;

/** What is published of each route that a provider's API has too, by method and path: read by read-published.ts, new fields with each new SDK. */
export interface Published {
  'POST /v1/chat/completions': {
    request: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
    answer: OpenAI.Chat.ChatCompletion;
    event: OpenAI.Chat.ChatCompletionChunk;
  };
  'POST /v1/completions': {
    request: OpenAI.CompletionCreateParamsNonStreaming;
    answer: OpenAI.Completion;
    event: OpenAI.Completion;
  };
  'POST /v1/responses': {
    request: OpenAI.Responses.ResponseCreateParamsNonStreaming;
    answer: ResponseOnWire;
    event: OnWire<ResponseEvent>;
  };
  'POST /v1/responses/compact': {
    request: OpenAI.Responses.ResponseCompactParams;
    answer: OpenAI.Responses.CompactedResponse;
  };
  'POST /v1/responses/input_tokens': {
    request: OpenAI.Responses.InputTokenCountParams;
    answer: OpenAI.Responses.InputTokenCountResponse;
  };
  'GET /v1/responses/{id}': {
    request: Omit<OpenAI.Responses.ResponseRetrieveParamsNonStreaming, 'stream'>;
    answer: ResponseOnWire;
    event: OnWire<ResponseEvent>;
  };
  // The SDK returns nothing; https://platform.openai.com/docs/api-reference/responses/delete.
  'DELETE /v1/responses/{id}': { answer: { id: string; object: string; deleted: boolean } };
  'POST /v1/responses/{id}/cancel': { answer: ResponseOnWire };
  'GET /v1/responses/{id}/input_items': {
    request: OpenAI.Responses.InputItemListParams;
    answer: OpenAI.Responses.ResponseItemList;
  };
  'POST /v1/images/generations': {
    request: OpenAI.ImageGenerateParamsNonStreaming;
    answer: ImagesAnswer;
    event: OpenAI.ImageGenStreamEvent;
  };
  'POST /v1/images/edits': {
    request: ImageEditRequest;
    answer: ImagesAnswer;
    event: OpenAI.ImageEditStreamEvent;
  };
  'POST /v1/images/edits (JSON)': {
    request: ImageEditJsonRequest;
    answer: ImagesAnswer;
    event: OpenAI.ImageEditStreamEvent;
  };
  'POST /v1/audio/translations': {
    request: Omit<OpenAI.Audio.TranslationCreateParams, 'file'>;
    answer: OpenAI.Audio.Translation | OpenAI.Audio.TranslationVerbose;
  };
  /** Without `answer`: bytes. */
  'POST /v1/audio/speech': {
    request: OpenAI.Audio.SpeechCreateParams;
    event: SpeechEvent;
  };
  'POST /v1/audio/transcriptions': {
    request: TranscriptionRequest;
    answer: OpenAI.Audio.Transcription | OpenAI.Audio.TranscriptionDiarized | OpenAI.Audio.TranscriptionVerbose;
    event: OpenAI.Audio.TranscriptionStreamEvent;
  };
  'POST /v1/embeddings': { request: OpenAI.EmbeddingCreateParams; answer: OpenAI.CreateEmbeddingResponse };
  'POST /v1/messages': {
    request: Anthropic.MessageCreateParamsNonStreaming;
    answer: Anthropic.Message;
    event: Anthropic.RawMessageStreamEvent;
  };
  'POST /v1/messages/count_tokens': {
    request: Anthropic.MessageCountTokensParams;
    answer: Anthropic.MessageTokensCount;
  };
  'POST /v1beta/models/{call}': {
    request: GeminiRequest;
    answer: GeminiAnswer;
    event: GeminiAnswer;
  };
  'POST /v1beta/models/{model}:countTokens': {
    request: { generateContentRequest: GeminiRequest };
    answer: Pick<Gemini.CountTokensResponse, 'totalTokens' | 'cachedContentTokenCount'>;
  };
  'POST /v1beta/models/{model}:embedContent': {
    request: GeminiEmbedRequest;
    answer: { embedding: GeminiEmbedding; usageMetadata?: GeminiEmbedUsage };
  };
  'POST /v1beta/models/{model}:batchEmbedContents': {
    request: { requests: GeminiEmbedRequest[] };
    answer: { embeddings: GeminiEmbedding[]; usageMetadata?: GeminiEmbedUsage };
  };
  /** No route of the gateway: Bedrock only receives translated requests. */
  'POST /model/{modelId}/converse': {
    request: Wire<Omit<Bedrock.ConverseRequest, 'modelId'>>;
    answer: Wire<Omit<Bedrock.ConverseResponse, 'trace'>>;
  };
}
