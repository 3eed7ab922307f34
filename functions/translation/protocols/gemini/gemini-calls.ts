import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject, type JsonEdit } from '../../../kernel/json/index.ts';
import { inCamelCaseName } from './gemini-names.ts';

/** Members of a body whose objects may name the model again: `requests[0].model`. */
const HOLDERS = new Set(['requests', 'generateContentRequest']);

type Json = Readonly<Record<string, unknown>>;

/** Google requires the path's model in some bodies. @throws GatewayError for another one, which the key need not be allowed */
export function checkModelOfPath(named: unknown, model: string, param: string): void {
  if (named === undefined || named === model || named === `models/${model}`) return;
  throw new GatewayError('invalid_value', `'${param}' must be the model of the path: 'models/${model}'.`, { param });
}

/** A copy of a body without the names of the path's model. */
export function withoutModel(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { model: _, ...rest } = value;
  return Object.fromEntries(
    Object.entries(rest).map(([name, member]) => {
      if (!HOLDERS.has(inCamelCaseName(name))) return [name, member];
      return [name, Array.isArray(member) ? member.map(withoutOwn) : withoutOwn(member)];
    }),
  );
}

function withoutOwn(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { model: _, ...rest } = value;
  return rest;
}

/** The edits that name the provider's model wherever the body names the path's. */
export function modelEdits(body: Json, model: string): JsonEdit[] {
  const json = JSON.stringify(`models/${model}`);
  const edits: JsonEdit[] = [];
  const rename = (holder: unknown, path: readonly (string | number)[]) => {
    if (!isObject(holder) || !Object.hasOwn(holder, 'model') || holder.model === `models/${model}`) return;
    edits.push({ kind: 'replace', path: [...path, 'model'], json });
  };
  rename(body, []);
  for (const [name, member] of Object.entries(body)) {
    if (!HOLDERS.has(inCamelCaseName(name))) continue;
    if (Array.isArray(member)) for (const [at, one] of member.entries()) rename(one, [name, at]);
    else rename(member, [name]);
  }
  return edits;
}
