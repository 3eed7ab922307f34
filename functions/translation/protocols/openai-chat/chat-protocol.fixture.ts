import { readJsonDocument } from '../../../kernel/json/index.ts';
import { checkChatRequest } from './from-chat-request.ts';

export const read = (body: unknown) => checkChatRequest(readJsonDocument(JSON.stringify(body)));
export const user = { role: 'user', content: 'hi' };
export const base = { model: 'gpt-4o', messages: [user] };
