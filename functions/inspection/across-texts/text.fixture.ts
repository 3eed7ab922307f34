import { type Author, type RequestText, SURFACE_OF } from '../../kernel/model/index.ts';

/** A text in the content of a message. */
export function content(author: Author, text: string, fields: Partial<RequestText> = {}): RequestText {
  const message = fields.message ?? 0;
  return {
    path: ['messages', message, 'content'],
    text,
    author,
    surface: SURFACE_OF[author],
    message,
    turnsAgo: 0,
    isContent: true,
    ...fields,
  };
}
