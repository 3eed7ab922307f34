type Json = Readonly<Record<string, unknown>>;

export interface Refusal {
  readonly status: number;
  readonly body: object;
}

/** What the real providers refuse of a request; undefined if they take it. */
export function refusalOf(path: string, value: unknown): Refusal | undefined {
  const body = objectOf(value);
  if (path.endsWith('/chat/completions')) return schemaRefusal(body) ?? toolsRefusal(body) ?? reasoningRefusal(body);
  if (path.endsWith('/responses')) return schemaRefusal(body) ?? parameterRefusal(body) ?? itemRefusal(body);
  if (path.endsWith('/messages')) return inputSchemaRefusal(body) ?? signatureRefusal(body);
  return undefined;
}

/** Of OpenAI's models: github.com/nspady/google-calendar-mcp/issues/39. */
function schemaRefusal({ model, tools }: Json): Refusal | undefined {
  if (!String(model).startsWith('gpt-')) return undefined;
  for (const [at, tool] of listOf(tools).entries()) {
    const own = tool.type === 'function' && tool.function !== undefined;
    const { name, parameters } = own ? objectOf(tool.function) : tool;
    const isPlain = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].every((one) => objectOf(parameters)[one] === undefined);
    if (parameters === undefined || (isPlain && objectOf(parameters).type === 'object')) continue;
    const message = `Invalid schema for function '${name}': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`;
    return invalid(message, `tools[${at}]${own ? '.function' : ''}.parameters`, 'invalid_function_parameters');
  }
  return undefined;
}

/** Of Claude models: github.com/anthropics/claude-code/issues/5973. Tools of the API itself have no schema. */
function inputSchemaRefusal({ model, tools }: Json): Refusal | undefined {
  if (!String(model).startsWith('claude-')) return undefined;
  for (const [at, { input_schema: schema }] of listOf(tools).entries()) {
    if (schema === undefined) continue;
    const { type, ...rest } = objectOf(schema);
    const has = ['oneOf', 'allOf', 'anyOf'].some((one) => rest[one] !== undefined);
    if (!has && type === 'object') continue;
    const wrongType = type === undefined ? '.type: Field required' : ".type: Input should be 'object'";
    const fault = has ? ': input_schema does not support oneOf, allOf, or anyOf at the top level' : wrongType;
    const message = `tools.${at}.custom.input_schema${fault}`;
    return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
  }
  return undefined;
}

/** Tools in OpenAI's chat completions: refused from gpt-5.4 on with an effort, from gpt-5.6 on also without one. */
function toolsRefusal({ model, tools, reasoning_effort: effort }: Json): Refusal | undefined {
  const minor = Number(/^gpt-5\.(\d+)/.exec(String(model))?.[1] ?? 0);
  const isRefused = minor >= 6 ? effort !== 'none' : minor >= 4 && effort !== undefined && effort !== 'none';
  if (!isRefused || !Array.isArray(tools) || tools.length === 0) return undefined;
  const message = `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
  return invalid(message, 'reasoning_effort');
}

/**
 * Reasoning that is missing in a tool loop, or that a server does not know: https://api-docs.deepseek.com/guides/thinking_mode,
 * github.com/continuedev/continue/issues/11600 (Moonshot), github.com/BerriAI/litellm/issues/30835 (Mistral).
 */
function reasoningRefusal({ model, messages, thinking }: Json): Refusal | undefined {
  const isOff = objectOf(thinking).type === 'disabled';
  for (const [at, message] of listOf(messages).entries()) {
    const reasoning = message.reasoning_content;
    const isMissing = listOf(message.tool_calls).length > 0 && (typeof reasoning !== 'string' || reasoning === '');
    if (isMissing && !isOff && /^deepseek-/.test(String(model))) {
      const text = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
      return invalid(text, null, 'invalid_request_error');
    }
    if (isMissing && !isOff && /^kimi-/.test(String(model))) {
      const text = 'thinking is enabled but reasoning_content is missing in assistant tool call message at index';
      return invalid(`${text} ${at}`, null);
    }
    // https://github.com/QwenLM/qwen-code/issues/11657
    const extra = ['reasoning', 'reasoning_details'].find((name) => message[name] !== undefined);
    if (extra !== undefined && /^accounts\/fireworks\//.test(String(model))) {
      return invalid(
        `Extra inputs are not permitted, field: 'messages[${at}].${extra}'`,
        null,
        'invalid_request_error',
      );
    }
    if (/^(?:mistral|magistral)-/.test(String(model)) && message.reasoning_content !== undefined) {
      const loc = ['body', 'messages', at, 'assistant', 'reasoning_content'];
      const detail = [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }];
      return { status: 422, body: { object: 'error', message: { detail }, type: 'invalid_request_error', code: null } };
    }
  }
  return undefined;
}

/** Parameters of chat completions that the Responses API does not have. */
const OF_CHAT =
  'messages max_tokens max_completion_tokens stop n seed presence_penalty frequency_penalty logit_bias response_format reasoning_effort'.split(
    ' ',
  );

function parameterRefusal(body: Json): Refusal | undefined {
  const name = OF_CHAT.find((one) => body[one] !== undefined);
  if (name !== undefined) return invalid(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  const { max_output_tokens: most, reasoning, model } = body;
  if (typeof most === 'number' && most < 16) {
    const text = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`;
    return invalid(text, 'max_output_tokens', 'integer_below_min_value');
  }
  if (objectOf(reasoning).effort === 'minimal' && /^gpt-5\.[1-9]/.test(String(model))) {
    const text = `Unsupported value: 'minimal' is not supported with the '${model}' model.`;
    return invalid(text, 'reasoning.effort', 'unsupported_value');
  }
  const at = listOf(body.tools).findIndex(({ type, name: tool }) => type === 'function' && tool === undefined);
  if (at < 0) return undefined;
  return invalid(`Missing required parameter: 'tools[${at}].name'.`, `tools[${at}].name`, 'missing_required_parameter');
}

/** Reasoning as text: github.com/musistudio/claude-code-router/issues/1783. */
function itemRefusal({ input }: Json): Refusal | undefined {
  const at = listOf(input).findIndex(({ type, content }) => type === 'reasoning' && listOf(content).length > 0);
  if (at < 0) return undefined;
  const length = listOf(listOf(input)[at]?.content).length;
  const message = `Invalid 'input[${at}].content': array too long. Expected an array with maximum length 0, but got an array with length ${length} instead.`;
  return invalid(message, `input[${at}].content`, 'array_above_max_length');
}

/** Reasoning that no model of Anthropic signed. */
function signatureRefusal({ model, messages }: Json): Refusal | undefined {
  if (!String(model).startsWith('claude-')) return undefined;
  for (const [at, { content }] of listOf(messages).entries()) {
    const index = listOf(content).findIndex(({ type, signature }) => type === 'thinking' && !signature);
    if (index < 0) continue;
    const message = `messages.${at}.content.${index}: Invalid \`signature\` in \`thinking\` block`;
    return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
  }
  return undefined;
}

function invalid(message: string, param: string | null, code: string | null = null): Refusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } };
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
