import { type JsonEdit, type JsonPath, spliceJson } from '../base/json-splice.ts';
import type { SecurityInfo } from '../model/security-info.ts';

/** What a refusal says, where a policy asks for one in the place of an error. */
export const REFUSAL = 'This request was declined by the security policy.';

/** The JSON with `svc` in the object at `path`; one of a provider is gone by now (readAnswer). */
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

/** JSON as the one line that an event's data is: a provider may spread it over several. Line breaks in it stand between values only. */
export function oneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}
