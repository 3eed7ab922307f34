import type { ChatMessage, ChatRequest, ContentPart } from '../../../kernel/model/index.ts';

export function text(value: string): ContentPart {
  return { type: 'text', text: value };
}

export function message(role: ChatMessage['role'], ...parts: (string | ContentPart)[]): ChatMessage {
  return { role, parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)) };
}

/** A request that asks one short question, with whatever a test is about. */
export function chatRequest(fields: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'claude-sonnet-4-6',
    messages: [message('user', 'Hello')],
    stream: false,
    includeUsage: false,
    choiceCount: 1,
    others: [],
    ...fields,
  };
}

/** The face of the error that `run` throws; undefined when it throws none. */
export function errorOf(run: () => unknown): { code: string; param?: string; message: string } | undefined {
  try {
    run();
  } catch (error) {
    const { code, param, message } = error as { code: string; param: string | undefined; message: string };
    return { code, message, ...(param !== undefined && { param }) };
  }
  return undefined;
}
