import { readJsonDocument } from '../../../kernel/json/index.ts';
import { checkResponsesRequest } from './from-responses-request.ts';

const documentOf = (body: unknown) => readJsonDocument(JSON.stringify(body));
export const read = (body: unknown) => checkResponsesRequest(documentOf(body));
export const base = { model: 'gpt-x', input: 'Hi' };
export const saying = (...input: object[]) => ({ model: 'gpt-x', input });
export const parts = (...content: object[]) => saying({ role: 'user', content });
