import { readJsonDocument } from '../../../kernel/json/index.ts';
import { checkMessagesRequest } from './from-messages-request.ts';

export const documentOf = (body: unknown) => readJsonDocument(JSON.stringify(body));
export const read = (body: unknown) => checkMessagesRequest(documentOf(body));
export const user = { role: 'user', content: 'hi' };
export const base = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user] };
export const saying = (...content: object[]) => ({ ...base, messages: [{ role: 'user', content }] });
