import { type Author, type RequestText, SURFACES } from './request-text.ts';

/** A text in the content of a message. */
export function content(author: Author, text: string, fields: Partial<RequestText> = {}): RequestText {
  const message = fields.message ?? 0;
  return {
    path: ['messages', message, 'content'],
    text,
    author,
    surface: SURFACES[author],
    message,
    turnsAgo: 0,
    isContent: true,
    ...fields,
  };
}
