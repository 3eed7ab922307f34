import type { MessagesBlock } from './messages-schema.ts';

/** Whether it is reasoning as the gateway returns it of models that sign none. */
export function isUnsigned(block: MessagesBlock): block is MessagesBlock & { readonly thinking: string } {
  const { type, thinking, signature } = block as { type: string; thinking?: unknown; signature?: unknown };
  return type === 'thinking' && typeof thinking === 'string' && signature === '';
}
