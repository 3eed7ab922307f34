/** The type of an input item. Messages and item references may omit it. */
export function typeOfItem(value: { readonly type?: string | null | undefined }): string {
  return value.type ?? ('role' in value || !('id' in value) ? 'message' : 'item_reference');
}

/** The beginning of the name by which a key's `allowedModels` and prices know the model of a stored prompt: only OpenAI knows which it is. */
export const PROMPT_MODEL = '@prompt/';
