import {
  countMembers,
  hasDuplicateMembers,
  isObject,
  type JsonEdit,
  type JsonPath,
  PARSE_BOUNDS,
  spliceJson,
} from '../../../kernel/json/index.ts';
import type { ChatRequest, SecurityInfo } from '../../../kernel/model/index.ts';

type Json = Record<string, unknown>;

/** A provider's JSON, whole or one event, as the gateway inspects it and passes it on. */
export interface ResponseJson {
  readonly json: string;
  readonly body: Json;
}

/**
 * Reads a provider's JSON so that every parser of the result sees what was inspected. Objects with duplicate members are rewritten with the
 * last one, as `JSON.parse` reads them. Members that only the gateway may write are removed. Everything else stays byte-identical. @throws
 * SyntaxError, RangeError if the text is not a JSON object or nested too deep
 * @param inspected the text without bulky values (`withoutBulk`)
 */
export function readResponseJson(text: string, inspected = text): ResponseJson {
  const root: unknown = JSON.parse(inspected);
  if (!isObject(root)) throw new SyntaxError('no JSON object');
  const isAmbiguous = hasDuplicateMembers(inspected, countMembers(root, PARSE_BOUNDS.depth));
  const edits = removeOurs(root);
  if (isAmbiguous && inspected !== text) throw new RangeError('duplicate members');
  if (isAmbiguous) return { json: JSON.stringify(root), body: root };
  return { json: edits.length === 0 ? text : spliceJson(text, edits), body: root };
}

/** Members that only the gateway may write. The request field `moderation` never reaches a provider. */
const OURS = ['svc', 'moderation'];

/** Removes members that a client would take for the gateway's report. @returns the edits that remove them from the text */
function removeOurs(root: Json): JsonEdit[] {
  const edits = hasOurs(root) ? removeFrom(root, []) : [];
  for (const name in root) {
    const member = root[name];
    if (isObject(member) && hasOurs(member)) edits.push(...removeFrom(member, [name]));
  }
  return edits;
}

function hasOurs(holder: Json): boolean {
  return holder.svc !== undefined || holder.moderation !== undefined;
}

function removeFrom(holder: Json, path: JsonPath): JsonEdit[] {
  const edits: JsonEdit[] = [];
  for (const name of OURS) {
    // Some APIs write a null `moderation` when the caller requested none.
    if (!Object.hasOwn(holder, name) || (holder[name] === null && name !== 'svc')) continue;
    delete holder[name];
    edits.push({ kind: 'remove', path: [...path, name] });
  }
  return edits;
}

/** The refusal text, if a policy selects a refusal instead of an error. */
export const REFUSAL = 'This request was declined by the security policy.';

/** The JSON with `svc` in the object at `path`. `readResponseJson` has already removed a provider's `svc`. */
export function withSvc(json: string, path: JsonPath, svc: SecurityInfo): string {
  return spliceJson(json, [{ kind: 'insert', path, key: 'svc', json: JSON.stringify(svc) }]);
}

/** The JSON with a gateway member in the object at `path`, replacing a provider's member of that name. */
export function withMember(json: string, path: JsonPath, key: string, value: object): string {
  const edits: JsonEdit[] = [{ kind: 'insert', path, key, json: JSON.stringify(value) }];
  if (mayName(json, key)) edits.unshift({ kind: 'remove', path: [...path, key] });
  return spliceJson(json, edits);
}

/** Whether a JSON text may contain a key, escaped included. Almost none does, which saves parsing. */
function mayName(json: string, key: string): boolean {
  return json.includes(`"${key}"`) || json.includes('\\u');
}

/** OpenAI's limit of choices. Some servers count theirs from a number other than 0. */
const MOST_CHOICES = 128;

/** What is wrong with the choices of a response, for the log. Unbounded indexes would cost memory and time. */
export function faultOfChoices(
  indexes: readonly number[],
  { choiceCount }: Pick<ChatRequest, 'choiceCount'>,
): string | undefined {
  const most = Math.max(MOST_CHOICES, choiceCount);
  const isChoice = (index: number) => Number.isInteger(index) && index >= 0 && index < most;
  return indexes.every(isChoice) ? undefined : `a choice index beyond the limit of ${most} choices`;
}
