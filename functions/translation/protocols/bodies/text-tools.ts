import { isObject } from '../../../kernel/json/index.ts';
import type { ToolDefinition } from '../../../kernel/model/index.ts';

/** The parameters of the function for a tool that takes text, such as `apply_patch` of Codex. */
const TEXT_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as text.' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** Where a grammar goes, for warnings: nothing makes another API's model keep to it. */
export const GRAMMAR_IN_DESCRIPTION = 'the grammar is in the description of the tool, and is not enforced';

/** A function with one text in place of one of OpenAI's custom tools. @param grammar its `syntax` and `definition`, which the description then has */
export function toTextTool(name: string, description: unknown, grammar: unknown): ToolDefinition {
  const texts = [description, isObject(grammar) ? grammarOf(grammar) : undefined];
  const said = texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n');
  return { name, ...(said && { description: said }), parameters: TEXT_PARAMETERS };
}

/** What the description says about the text of a tool; nothing if any text is allowed. */
function grammarOf({ syntax, definition }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof definition !== 'string') return undefined;
  const kind = syntax === 'regex' ? 'regular expression' : 'Lark grammar';
  return `The input must match this ${kind}:\n${definition}`;
}

/** The arguments of the function for a call with a text. */
export function textArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text in the arguments of the function for a tool that takes text; other arguments unchanged. */
export function textInput(args: string): string {
  try {
    const { input } = JSON.parse(args) as { input?: unknown };
    return typeof input === 'string' ? input : args;
  } catch {
    return args;
  }
}
