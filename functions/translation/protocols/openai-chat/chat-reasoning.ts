import { isObject } from '../../../kernel/json/index.ts';

/**
 * Members of an assistant's message with its reasoning as text, which OpenAI's protocol does not define: `reasoning_content` of DeepSeek,
 * Moonshot and older vLLM, `reasoning` of vLLM, OpenRouter and Groq.
 */
export const REASONING_MEMBERS = ['reasoning_content', 'reasoning'] as const;

/**
 * The plain reasoning of a message or delta: of its members, of OpenRouter's `reasoning_details`, or of Mistral's `thinking` parts;
 * undefined if it has none.
 */
export function reasoningIn(message: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of REASONING_MEMBERS) {
    const text = message[name];
    if (typeof text === 'string' && text !== '') return text;
  }
  const details = textsOf(message.reasoning_details, ({ text, summary }) => [text, summary]);
  const thoughts = textsOf(message.content, ({ type, thinking }) =>
    type === 'thinking' ? (Array.isArray(thinking) ? thinking.map((part) => Object(part).text) : [thinking]) : [],
  );
  return [...details, ...thoughts].join('') || undefined;
}

/** The text of a message or delta whose content may be a list of parts; null if it has none. */
export function contentIn({ content }: Readonly<Record<string, unknown>>): string | null {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? textsOf(content, ({ type, text }) => (type === 'text' ? [text] : [])).join('') : null;
}

function textsOf(list: unknown, read: (item: Readonly<Record<string, unknown>>) => unknown[]): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => (isObject(item) ? read(item) : [])).filter((text) => typeof text === 'string');
}
