/** What surrounds a sample: values that providers accept, and the rest of a conversation, a response or a stream. */

export type Json = Record<string, unknown>;

/** Media that every provider accepts in this form. */
export const IMAGES = ['data:image/png;base64,AAAA', 'data:image/png;base64,BBBB'];
export const FILES = ['data:application/pdf;base64,AAAA', 'data:application/pdf;base64,BBBB'];
export const ARGUMENTS = ['{"a":1}', '{"a":2}'];
export const TEMPERATURES = { temperature: [0.25, 0.5], top_p: [0.25, 0.5], topP: [0.25, 0.5] };
/** Budgets of thinking that are different levels too. */
export const BUDGETS = { budget_tokens: [1_024, 30_000], thinkingBudget: [1_024, 20_000] };
export const MESSAGES = [{ role: 'user', content: 'Good morning' }];
/** What the API demands and Google's types leave open. */
export const GEMINI_KINDS = {
  Content: { parts: [{ text: 'Good morning' }] },
  FunctionCall: { name: 'f' },
  FunctionResponse: { name: 'f', response: {} },
  FunctionDeclaration: { name: 'f' },
  FileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' },
  Blob_2: { mimeType: 'image/png', data: 'AAAA' },
};
export const HELLO = { role: 'user', parts: [{ text: 'Good morning' }] };

export const chunk = (choices: unknown[]) => ({
  id: 'c-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices,
});
export const completion = (choices: unknown[]) => ({
  id: 'c-1',
  object: 'text_completion',
  created: 1,
  model: 'm',
  choices,
});
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const MESSAGE_START = { type: 'message_start', message: MESSAGE };
const MESSAGE_DELTA = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage: { output_tokens: 1 },
};
const MESSAGE_STOP = { type: 'message_stop' };
const BLOCK_START = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const blockStop = (index: unknown) => ({ type: 'content_block_stop', index });

/** A stream of the Messages API around one of its events. */
export function messageEvents(sample: Json): Json[] {
  switch (sample.type) {
    case 'message_start':
      return [sample, MESSAGE_DELTA, MESSAGE_STOP];
    case 'content_block_start':
      return [MESSAGE_START, sample, blockStop(sample.index), MESSAGE_DELTA, MESSAGE_STOP];
    case 'content_block_delta':
      return [
        MESSAGE_START,
        { ...BLOCK_START, index: sample.index },
        sample,
        blockStop(sample.index),
        MESSAGE_DELTA,
        MESSAGE_STOP,
      ];
    case 'content_block_stop':
      return [MESSAGE_START, { ...BLOCK_START, index: sample.index }, sample, MESSAGE_DELTA, MESSAGE_STOP];
    case 'message_delta':
      return [MESSAGE_START, sample, MESSAGE_STOP];
    default:
      return [MESSAGE_START, MESSAGE_DELTA, sample];
  }
}

export function chatAround(sample: Json): Json {
  const messages = (sample.messages as Json[]) ?? [];
  const asked = messages.flatMap(({ role, name, tool_call_id: id }): Json[] => {
    if (role === 'function') return [{ role: 'assistant', content: null, function_call: { name, arguments: '{}' } }];
    return typeof id === 'string' ? [{ role: 'assistant', content: null, tool_calls: [call(id)] }] : [];
  });
  const chooses = 'tool_choice' in sample || 'parallel_tool_calls' in sample;
  return { ...sample, ...(chooses && { tools: TOOLS }), messages: [...asked, ...messages, ...MESSAGES] };
}

const TOOLS = ['first', 'other'].map((name) => ({ type: 'function', function: { name } }));
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

export function messagesAround(sample: Json): Json {
  const messages = (sample.messages as Json[]) ?? [];
  const results = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])) as Json[];
  const asked = results.flatMap(({ tool_use_id: id }) =>
    typeof id === 'string' ? [{ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] }] : [],
  );
  const tools = ['first', 'other', 'words'].map((name) => ({ name, input_schema: { type: 'object' } }));
  return { ...sample, ...('tool_choice' in sample && { tools }), messages: [...asked, ...messages, ...MESSAGES] };
}

export function geminiAround(sample: Json): Json {
  const contents = sample.contents as Json[];
  const declarations = ['first', 'other'].map((name) => ({ name }));
  return {
    ...sample,
    ...('toolConfig' in sample && { tools: [{ functionDeclarations: declarations }] }),
    contents: [...contents, HELLO],
  };
}

/** No file exists, and only an earlier response can be continued. */
export const IDS = {
  previous_response_id: ['resp_held', undefined],
  file_id: ['file-1', 'file-2'],
  file_ids: ['file-1', 'file-2'],
};
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  output: [],
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
};
const RESPONSE_CREATED = {
  type: 'response.created',
  sequence_number: 0,
  response: { ...RESPONSE, status: 'in_progress' },
};
const RESPONSE_COMPLETED = { type: 'response.completed', sequence_number: 100, response: RESPONSE };

/** A stream of the Responses API around one of its events. */
export function responseEvents(sample: Json): Json[] {
  const ends = ['response.completed', 'response.incomplete', 'response.failed'].includes(String(sample.type));
  return [RESPONSE_CREATED, sample, ...(ends ? [] : [RESPONSE_COMPLETED])];
}

export function responseAround(sample: Json): Json {
  const input = Array.isArray(sample.input) ? (sample.input as Json[]) : [];
  const asked = input.flatMap(({ type, call_id: id }) =>
    type === 'function_call_output' || type === 'custom_tool_call_output'
      ? [{ type: 'function_call', call_id: id, name: 'f', arguments: '{}' }]
      : [],
  );
  const chooses = 'tool_choice' in sample || 'parallel_tool_calls' in sample;
  const tools = ['first', 'other', 'words'].map((name) => ({
    type: 'function',
    name,
    parameters: { type: 'object' },
    strict: false,
  }));
  return {
    ...sample,
    ...(chooses && !('tools' in sample) && { tools }),
    ...(Array.isArray(sample.input) && { input: [...asked, ...input, { role: 'user', content: 'Good morning' }] }),
  };
}

export const TRANSCRIPT_DONE = { type: 'transcript.text.done', text: 'Good morning' };

export const IMAGE_COMPLETED = {
  type: 'image_generation.completed',
  b64_json: 'AAAA',
  background: 'opaque',
  created_at: 1,
  output_format: 'png',
  quality: 'low',
  size: '1024x1024',
  usage: {
    input_tokens: 1,
    input_tokens_details: { image_tokens: 0, text_tokens: 1 },
    output_tokens: 1,
    total_tokens: 2,
  },
};

const EDIT_COMPLETED = { ...IMAGE_COMPLETED, type: 'image_edit.completed' };
export const SPEECH_DONE = {
  type: 'speech.audio.done',
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
export const editEvents = (sample: Json) => (sample.type === EDIT_COMPLETED.type ? [sample] : [sample, EDIT_COMPLETED]);

/** An unfinished response has no output. */
export function wholeResponse(sample: Json): Json {
  return sample.status === 'queued' || sample.status === 'in_progress' ? { ...sample, output: [] } : sample;
}

export const HELD = {
  ...RESPONSE,
  id: 'resp_held',
  output: ['words', 'first', 'other'].map((id) => ({ id, type: 'message' })),
};

/** The stored response of a model's lane. */
export const storedAs = (model: string) => ({ ...RESPONSE, id: `resp_${model}` });
