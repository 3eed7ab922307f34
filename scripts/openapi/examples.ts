import type { ChatDelta } from '../../functions/core/model/chat.ts';
import {
  JUDGED_CATEGORIES,
  MODERATION_CATEGORIES,
  type ModerationCategory,
} from '../../functions/core/moderation/moderation-result.ts';
import {
  encodeResponse,
  ResponsesEncoder,
  responseHead,
} from '../../functions/core/protocols/openai-responses/responses-encoder.ts';

/** Ids and times are fixed, so that every run writes the same document. */
const REQUEST_ID = 'req_3f0c1f6e2f3f4b0f9a7c5d2e8b1a4c6d';
const COMPLETION_ID = 'chatcmpl-echo-5f3c1a52-6c8c-4f7e-9f0e-0d6a1f2b3c4d';
const CREATED = 1_795_231_800;

const svc = {
  threat_score: 0,
  detected_threats: [],
  processing_time_ms: 3.214,
  action: 'allow',
  request_id: REQUEST_ID,
  session_id: null,
  coverage: { input: ['messages[0]'], output: ['choices[0]'], skipped: [] },
};

export const chatRequest = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
export const chatStreamRequest = { ...chatRequest, stream: true, stream_options: { include_usage: true } };

export const responsesRequest = { model: 'echo', input: 'Hello' };
const exampleHead = responseHead({ requestId: REQUEST_ID, created: CREATED, model: 'echo' }, responsesRequest);
const responseSvc = { ...svc, coverage: { input: ['input'], output: ['output[0]'], skipped: [] } };
const counted = { inputTokens: 1, outputTokens: 1 };
const said = {
  id: COMPLETION_ID,
  model: 'echo',
  choices: [{ index: 0, text: 'Hello', finishReason: 'stop' as const }],
};
export const response = { ...encodeResponse({ ...said, usage: counted }, exampleHead), svc: responseSvc };
const encoder = new ResponsesEncoder(exampleHead);
const steps: ChatDelta[] = [
  { type: 'start', id: COMPLETION_ID, model: 'echo' },
  { type: 'text', choice: 0, text: 'Hello' },
  { type: 'finish', choice: 0, reason: 'stop' },
  { type: 'usage', usage: counted },
];
const events = [...steps.flatMap((step) => encoder.encode(step)), ...encoder.end()] as {
  type: string;
  response?: object;
}[];
export const responseEvents = events.map((event) =>
  event.type === 'response.completed' ? { ...event, response: { ...event.response, svc: responseSvc } } : event,
);
export const responseStream = responseEvents
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

export const responseDeletion = {
  ...{ id: 'resp_1', object: 'response.deleted', deleted: true },
  svc: { ...svc, coverage: { input: [], output: [], skipped: [] } },
};
const inputItem = {
  ...{ id: 'msg_1', type: 'message', role: 'user', status: 'completed' },
  content: [{ type: 'input_text', text: 'Hello' }],
};
export const inputItemList = {
  ...{ object: 'list', data: [inputItem], first_id: inputItem.id, last_id: inputItem.id, has_more: false },
  svc: { ...svc, coverage: { input: [], output: ['data[0]'], skipped: [] } },
};
export const compactedResponse = {
  ...{ id: 'resp_1', object: 'response.compaction', created_at: CREATED },
  output: [inputItem, { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' }],
  usage: {
    ...{ input_tokens: 139, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 438, output_tokens_details: { reasoning_tokens: 64 }, total_tokens: 577 },
  },
  svc: responseSvc,
};
export const inputTokenCount = {
  ...{ object: 'response.input_tokens', input_tokens: 1 },
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const messagesRequest = { model: 'echo', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };
export const message = {
  id: `msg_${REQUEST_ID.slice('req_'.length)}`,
  type: 'message',
  role: 'assistant',
  model: 'echo',
  stop_sequence: null,
  usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  svc: { ...svc, coverage: { input: ['messages[0]'], output: ['content[0]'], skipped: [] } },
};
const { svc: messageSvc, content: _content, stop_reason: _reason, usage: messageUsage, ...messageHead } = message;
export const messageEvents = [
  {
    type: 'message_start',
    message: {
      ...messageHead,
      usage: { ...messageUsage, input_tokens: 0, output_tokens: 0 },
      content: [],
      stop_reason: null,
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null },
    usage: messageUsage,
    svc: messageSvc,
  },
  { type: 'message_stop' },
];
export const messageStream = messageEvents
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');
export const countTokensRequest = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
export const tokenCount = {
  input_tokens: 1,
  svc: { ...svc, coverage: { input: ['messages[0]'], output: [], skipped: [] } },
};

export const completionsRequest = { model: 'echo', prompt: 'Hello' };
export const completion = {
  id: `cmpl-${REQUEST_ID.slice('req_'.length)}`,
  object: 'text_completion',
  created: CREATED,
  model: 'echo',
  choices: [{ text: 'Hello', index: 0, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  svc: { ...svc, coverage: { input: ['prompt'], output: ['choices[0]'], skipped: [] } },
};
export const completionStream = `data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`;

export const embeddingsRequest = { model: 'echo', input: 'Hello', dimensions: 4 };
export const embeddingList = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0, 0, 1, 0] }],
  model: 'echo',
  usage: { prompt_tokens: 1, total_tokens: 1 },
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const rerankRequest = { model: 'echo', query: 'Where is Rome?', documents: ['Rome is in Italy.', 'Hello'] };
export const ranking = {
  id: '0b6a2f4e-6f0c-4a44-9a5e-0d3c1c1f6f11',
  model: 'echo',
  results: [
    { index: 0, relevance_score: 0.447214 },
    { index: 1, relevance_score: 0 },
  ],
  usage: { total_tokens: 14 },
  svc: { ...svc, coverage: { input: ['query', 'documents'], output: [], skipped: [] } },
};

export const imagesRequest = { model: 'echo', prompt: 'Hello' };
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNoaGgAAAMEAYF1LgG8AAAAAElFTkSuQmCC';
const pictureUsage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
export const images = {
  created: CREATED,
  data: [{ b64_json: PICTURE }],
  usage: pictureUsage,
  svc: { ...svc, coverage: { input: ['prompt'], output: [], skipped: ['data[0].b64_json: image'] } },
};
export const imageEvents = [
  {
    type: 'image_generation.completed',
    b64_json: PICTURE,
    created_at: CREATED,
    usage: pictureUsage,
    svc: { ...svc, coverage: { input: ['prompt'], output: [], skipped: ['b64_json: image'] } },
  },
];
export const imagesStream = imageEvents
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

export const imageEditsRequest = {
  ...imagesRequest,
  images: [{ image_url: `data:image/png;base64,${PICTURE}` }],
};
export const editedImages = {
  ...images,
  svc: {
    ...svc,
    coverage: { input: ['prompt', 'images'], output: [], skipped: ['images[0]: image', 'data[0].b64_json: image'] },
  },
};
export const imageEditsStream = imagesStream.replaceAll('image_generation', 'image_edit');

export const speechRequest = { model: 'echo', input: 'Hello', voice: 'alloy' };
export const speechEvents = [
  { type: 'speech.audio.delta', audio: 'UklGRsQPAABXQVZF' },
  {
    type: 'speech.audio.done',
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    svc: { ...svc, coverage: { input: ['input', 'voice'], output: [], skipped: ['audio: audio'] } },
  },
];
export const speechStream = speechEvents.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const transcriptUsage = { type: 'tokens', input_tokens: 0, output_tokens: 6, total_tokens: 6 };
const heard = { ...svc, coverage: { input: ['file.filename'], output: ['text'], skipped: ['file: audio'] } };
export const transcript = { text: 'Hello from the echo model.', usage: transcriptUsage, svc: heard };
export const transcriptEvents = [
  { type: 'transcript.text.delta', delta: 'Hello' },
  { type: 'transcript.text.done', text: transcript.text, usage: transcriptUsage, svc: heard },
];
export const transcriptStream = transcriptEvents.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

export const geminiRequest = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
export const geminiResponse = {
  candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'echo',
  responseId: REQUEST_ID.slice('req_'.length),
  svc: { ...svc, coverage: { input: ['contents[0]'], output: ['candidates[0]'], skipped: [] } },
};
export const geminiStream = `data: ${JSON.stringify(geminiResponse)}\n\n`;

export const geminiCount = {
  totalTokens: 1,
  svc: { ...svc, coverage: { input: ['contents[0]'], output: [], skipped: [] } },
};
const ofContent = (field: string) => ({ ...svc, coverage: { input: [field], output: [], skipped: [] } });
export const geminiEmbedRequest = { content: { parts: [{ text: 'Hello' }] }, outputDimensionality: 4 };
export const geminiEmbedResponse = { embedding: { values: [0, 0, 1, 0] }, svc: ofContent('content') };
export const geminiBatchEmbedResponse = { embeddings: [{ values: [0, 0, 1, 0] }], svc: ofContent('requests') };

export const moderationRequest = { input: 'Hello' };
const ofCategories = <T>(value: (category: ModerationCategory) => T) =>
  Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, value(category)]));
export const moderation = {
  id: `modr-${REQUEST_ID.slice('req_'.length)}`,
  model: 'svc-moderation',
  results: [
    {
      flagged: false,
      categories: ofCategories(() => false),
      category_scores: ofCategories(() => 0),
      category_applied_input_types: ofCategories((category) => (JUDGED_CATEGORIES.includes(category) ? ['text'] : [])),
    },
  ],
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const model = { id: 'echo', object: 'model', created: CREATED, owned_by: 'echo' };
export const modelList = { object: 'list', data: [model] };
const LIMITS = { input: 200_000, output: 64_000 };
export const anthropicModel = {
  ...{ type: 'model', id: 'claude-sonnet-5', display_name: 'claude-sonnet-5' },
  created_at: new Date(CREATED * 1000).toISOString(),
  ...{ max_input_tokens: LIMITS.input, max_tokens: LIMITS.output, capabilities: null },
};
export const anthropicModelList = {
  data: [anthropicModel],
  ...{ has_more: false, first_id: anthropicModel.id, last_id: anthropicModel.id },
};
export const geminiModel = {
  ...{ name: 'models/gemini-3.8-flash', displayName: 'gemini-3.8-flash' },
  ...{ inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, supportedGenerationMethods: ['generateContent'] },
};
export const geminiModelList = { models: [geminiModel] };

export const guardRequest = { input: 'Hello', as: 'user' };
export const guardResult = {
  id: `guard-${REQUEST_ID.slice('req_'.length)}`,
  object: 'guard.result',
  flagged: false,
  action: 'allow',
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const chatCompletion = {
  id: COMPLETION_ID,
  object: 'chat.completion',
  created: CREATED,
  model: 'echo',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  svc,
};

const head = { id: COMPLETION_ID, object: 'chat.completion.chunk', created: CREATED, model: 'echo' };
const choice = (delta: object, finish_reason: string | null) => [{ index: 0, delta, logprobs: null, finish_reason }];

export const chatChunks = [
  { ...head, choices: choice({ role: 'assistant', content: '' }, null) },
  { ...head, choices: choice({ content: 'Hello' }, null) },
  { ...head, choices: choice({}, 'stop'), svc },
  { ...head, choices: [], usage: chatCompletion.usage },
];

export const chatStream = [...chatChunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(
  '',
);

export const blocked = {
  error: {
    message: 'The request was blocked by the security policy of this API key.',
    type: 'security_error',
    param: 'messages[0].content',
    code: 'content_filter',
  },
  svc: {
    ...svc,
    threat_score: 1,
    detected_threats: [
      {
        type: 'prompt_injection',
        category: 'test_text',
        score: 1,
        severity: 'low',
        action: 'block',
        rule: 'test-text/block',
        message: 'The fixed test text for the action block.',
        location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 19 },
        owasp: 'LLM01:2025',
        atlas: null,
      },
    ],
    action: 'block',
    coverage: { input: ['messages[0]'], output: [], skipped: [] },
  },
};

export const messagesBlocked = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: blocked.error.message,
    code: blocked.error.code,
    param: blocked.error.param,
  },
  request_id: REQUEST_ID,
  svc: blocked.svc,
};

export const rateLimited = {
  error: {
    message: 'Rate limit of 1000 requests per hour exceeded. Try again in 4 s.',
    type: 'rate_limit_error',
    param: null,
    code: 'rate_limit_exceeded',
    details: { limit: 1000, remaining: 0, resetTime: '2026-11-21T09:30:03.600Z' },
  },
};
