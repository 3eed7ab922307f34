import { outsideMessages, type RequestText } from '../inspect/request-text.ts';
import { utf8Length } from '../json/utf8-length.ts';
import { collectTexts } from './collect-texts.ts';
import type { RequestTexts } from './protocol.ts';

/** What is sent to a model that is no chat: a text, several, or tokens in their place. */
export type Prompt = string | readonly string[] | readonly number[] | readonly (readonly number[])[];

/** The texts of a prompt; none where it is tokens. */
export function textsOfPrompt(prompt: Prompt): string[] {
  if (typeof prompt === 'string') return [prompt];
  return prompt.filter((part): part is string => typeof part === 'string');
}

/** How many prompts there are. */
export function countPrompts(prompt: Prompt): number {
  return typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : prompt.length;
}

/** An upper bound on a prompt's tokens: a token of text is one byte at least. */
export function boundPrompt(prompt: Prompt): number {
  if (typeof prompt === 'string') return utf8Length(prompt);
  return prompt.reduce<number>((sum, part) => sum + (typeof part === 'number' ? 1 : boundPrompt(part)), 0);
}

/** Every string of a request whose prompt stands under `field`; tokens cannot be read. */
export function promptRequestTexts(body: { readonly model?: string }, field: string): RequestTexts {
  const { model: _, ...rest } = body;
  const texts: RequestText[] = [];
  collectTexts(rest, [], isFixed, (path, text, isName) => texts.push(outsideMessages(path, text, 'user', isName)));
  const prompt = (body as Record<string, unknown>)[field] as Prompt;
  const hasTokens = textsOfPrompt(prompt).length === 0 && prompt.length > 0;
  return { texts, skipped: hasTokens ? [`${field}: tokens`] : [] };
}

/** The names of the fields that hold texts. */
export function fieldsOf(texts: readonly RequestText[]): string[] {
  return [...new Set(texts.map(({ path }) => String(path[0])))];
}

const isFixed = (name: string) => name === 'encoding_format' || name === 'response_format';
