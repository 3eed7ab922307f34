import { isObject } from '../base/json.ts';

/**
 * Tools that the caller runs: what they give is in the next request, and is counted there. Any other type, one that is not known
 * included, is run by the provider while it answers, and what it reads is counted as input.
 */
const RUN_BY_CALLER: Readonly<Record<'responses' | 'messages', (type: string) => boolean>> = {
  responses: (type) => ['function', 'custom', 'local_shell', 'apply_patch'].includes(type),
  // Anthropic defines these, and the caller runs them; their types end in a date.
  messages: (type) => type === 'custom' || /^(?:bash|text_editor|computer|memory)_\d{8}$/.test(type),
};

/** Members of a chat's body, of OpenRouter, xAI and others, that have the provider search while it answers. */
const SEARCH_MEMBERS = ['web_search_options', 'plugins', 'search_parameters', 'enable_search', 'connectors'] as const;
/** Models that search by themselves: OpenAI's `gpt-4o-search-preview`, Perplexity's, Groq's compound systems, `:online` at OpenRouter. */
const SEARCH_MODEL = /^(?:sonar|compound)|-search-(?:preview|api)|:online$/i;

/** Whether the provider runs one of the tools of a request. `unnamed`: the type of a tool that names none. */
export function hasServerTools(
  tools: unknown,
  protocol: keyof typeof RUN_BY_CALLER,
  unnamed: string | undefined = undefined,
): boolean {
  if (!Array.isArray(tools)) return false;
  return tools.some((tool: unknown) => {
    if (!isObject(tool)) return true;
    const type = tool.type ?? unnamed;
    if (protocol === 'responses' && type === 'namespace') return hasServerTools(tool.tools, protocol);
    return typeof type !== 'string' || !RUN_BY_CALLER[protocol](type);
  });
}

/** Whether a chat's or completion's provider searches while it answers. `model`: as its provider names it. */
export function searchesByItself(body: object, model: string): boolean {
  if (SEARCH_MODEL.test(model.slice(model.lastIndexOf('/') + 1))) return true;
  return SEARCH_MEMBERS.some((name) => {
    const value = (body as Record<string, unknown>)[name];
    return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
  });
}
