import { isObject } from '../json/is-object.ts';
import type { FurtherModel } from './protocol.ts';

/** The models that tools of the provider's ask: `tools[0].model`. */
export function modelsOfTools(value: unknown): FurtherModel[] {
  return modelsIn(value, 'tools');
}

/** Those, and the ones that Anthropic goes on to where the first declines: `fallbacks[0].model`. */
export function modelsOfMessages(value: unknown): FurtherModel[] {
  return [...modelsIn(value, 'fallbacks'), ...modelsOfTools(value)];
}

/** The models that OpenRouter goes on to where the first fails: `models[0]`. */
export function modelsOfChat(value: unknown): FurtherModel[] {
  return listIn(value, 'models').flatMap((name, at) =>
    typeof name === 'string' ? [{ name, param: `models[${at}]` }] : [],
  );
}

function modelsIn(value: unknown, field: string): FurtherModel[] {
  return listIn(value, field).flatMap((one, at) =>
    isObject(one) && typeof one.model === 'string' ? [{ name: one.model, param: `${field}[${at}].model` }] : [],
  );
}

function listIn(value: unknown, field: string): readonly unknown[] {
  const list = isObject(value) ? value[field] : undefined;
  return Array.isArray(list) ? list : [];
}
