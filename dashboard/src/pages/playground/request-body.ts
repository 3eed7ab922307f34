/** The texts of the form; an empty one is not sent. */
export interface Parameters {
  readonly temperature: string;
  readonly maxTokens: string;
  readonly effort: string;
}

export const NO_PARAMETERS: Parameters = { temperature: '', maxTokens: '', effort: '' };

export const DECIMAL = /^\s*(?:\d+(?:\.\d+)?)?\s*$/;
export const WHOLE = /^\s*\d*\s*$/;

/** Whether each can be sent. */
export function areWritten({ temperature, maxTokens }: Parameters): boolean {
  return DECIMAL.test(temperature) && WHOLE.test(maxTokens);
}

/** The members of a request of chat completions. */
export function parametersBody({ temperature, maxTokens, effort }: Parameters): object {
  return {
    ...(temperature.trim() !== '' && { temperature: Number(temperature) }),
    ...(maxTokens.trim() !== '' && { max_completion_tokens: Number(maxTokens) }),
    ...(effort !== '' && { reasoning_effort: effort }),
  };
}

/** A conversation as JSON: a list of messages, or a request body of which the messages and the tools count. Undefined for anything else. */
export function conversationOf(json: string): { readonly messages: readonly unknown[] } | undefined {
  const value = parseJson(json);
  if (Array.isArray(value)) return value.length === 0 ? undefined : { messages: value };
  if (typeof value !== 'object' || value === null || !('messages' in value)) return undefined;
  const { messages, tools } = value as { readonly messages: unknown; readonly tools?: unknown };
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  return { messages, ...(Array.isArray(tools) && tools.length > 0 && { tools }) };
}

/** Undefined for what is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
