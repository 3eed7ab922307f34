import { isObject } from '../base/json.ts';
import { countMembers, hasDuplicateMembers } from '../base/json-document.ts';
import { type JsonEdit, type JsonPath, spliceJson } from '../base/json-splice.ts';

type Json = Record<string, unknown>;

/** A provider's JSON, whole or one event, as the gateway inspects it and passes it on. */
export interface AnswerJson {
  readonly json: string;
  readonly body: Json;
}

/** An answer's depth limit. Reading, editing and writing recurse, and the next request may hold 64 levels at most. */
export const MAX_ANSWER_DEPTH = 128;

/**
 * Reads a provider's JSON so that every parser of the result sees what was inspected: an object with duplicate members is
 * written anew with the last of them, as `JSON.parse` reads it. Members that only the gateway may write are removed.
 * Everything else stays byte-identical.
 * @throws SyntaxError, RangeError where the text is not JSON or nested too deep
 */
export function readAnswer(text: string): AnswerJson {
  const root: unknown = JSON.parse(text);
  const isAmbiguous = hasDuplicateMembers(text, countMembers(root, MAX_ANSWER_DEPTH));
  if (!isObject(root)) return { json: isAmbiguous ? JSON.stringify(root) : text, body: {} };
  const edits = removeOurs(root);
  if (isAmbiguous) return { json: JSON.stringify(root), body: root };
  return { json: edits.length === 0 ? text : spliceJson(text, edits), body: root };
}

/** Members that only the gateway may write: the field `moderation` of a request never reaches a provider. */
const OURS = ['svc', 'moderation'];

/** Removes what a client would take for the gateway's own report. @returns the edits that remove it from the text */
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
    // Some APIs write a null `moderation` where nothing was asked for.
    if (!Object.hasOwn(holder, name) || (holder[name] === null && name !== 'svc')) continue;
    delete holder[name];
    edits.push({ kind: 'remove', path: [...path, name] });
  }
  return edits;
}
