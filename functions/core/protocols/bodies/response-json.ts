import { type JsonEdit, type JsonPath, spliceJson } from '../../base/edits.ts';
import { isObject } from '../../base/json.ts';
import { countMembers, hasDuplicateMembers } from '../../base/json-document.ts';
import type { ChatRequest, Usage } from '../../model/chat.ts';
import type { SecurityInfo } from '../../model/threat.ts';

type Json = Record<string, unknown>;

/** A provider's JSON, whole or one event, as the gateway inspects it and passes it on. */
export interface ResponseJson {
  readonly json: string;
  readonly body: Json;
}

/** An answer's depth limit. Reading, editing and writing recurse, and the next request may hold 64 levels at most. */
export const MAX_RESPONSE_DEPTH = 128;

/**
 * Reads a provider's JSON so that every parser of the result sees what was inspected: an object with duplicate members is
 * written anew with the last of them, as `JSON.parse` reads it. Members that only the gateway may write are removed.
 * Everything else stays byte-identical.
 * @throws SyntaxError, RangeError where the text is not JSON or nested too deep
 */
export function readResponseJson(text: string): ResponseJson {
  const root: unknown = JSON.parse(text);
  const isAmbiguous = hasDuplicateMembers(text, countMembers(root, MAX_RESPONSE_DEPTH));
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

/** What a refusal says, where a policy asks for one in the place of an error. */
export const REFUSAL = 'This request was declined by the security policy.';

/** The JSON with `svc` in the object at `path`; one of a provider is gone by now (readResponseJson). */
export function withSvc(json: string, path: JsonPath, svc: SecurityInfo): string {
  return spliceJson(json, [{ kind: 'insert', path, key: 'svc', json: JSON.stringify(svc) }]);
}

/** The JSON with a member of the gateway's in the object at `path`, in the place of whatever stood there. */
export function withMember(json: string, path: JsonPath, key: string, value: object): string {
  const edits: JsonEdit[] = [{ kind: 'insert', path, key, json: JSON.stringify(value) }];
  if (mayName(json, key)) edits.unshift({ kind: 'remove', path: [...path, key] });
  return spliceJson(json, edits);
}

/** Whether a key may stand anywhere in a JSON text, be it escaped: nearly never, and then nothing need be read. */
function mayName(json: string, key: string): boolean {
  return json.includes(`"${key}"`) || json.includes('\\u');
}

/** As many choices as OpenAI lets a request ask for: some servers count theirs from another number than 0. */
const MOST_CHOICES = 128;

/** What is wrong with the choices of an answer, for the log: without a bound on their indexes each costs memory and time. */
export function faultOfChoices(
  indexes: readonly number[],
  { choiceCount }: Pick<ChatRequest, 'choiceCount'>,
): string | undefined {
  const most = Math.max(MOST_CHOICES, choiceCount);
  const isChoice = (index: number) => Number.isInteger(index) && index >= 0 && index < most;
  return indexes.every(isChoice) ? undefined : `a choice beyond the ${most} that an answer may have`;
}

/** The counts of OpenAI's newer APIs: `input_tokens` and `output_tokens`; undefined where there are none. */
export function fromOpenAiTokenUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens: input, output_tokens: output } = usage;
  if (!isCount(input) || !isCount(output)) return undefined;
  return { inputTokens: input, outputTokens: output };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
