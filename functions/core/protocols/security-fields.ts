import type { SecurityInfo } from '../inspect/security-report.ts';
import { type JsonPath, spliceJson } from '../json/json-splice.ts';

/** What a refusal says, where a policy asks for one in the place of an error. */
export const REFUSAL = 'This request was declined by the security policy.';

/** The JSON with `svc` in the object at `path`; a provider that is a gateway like this one has put its own there. */
export function withSvc(json: string, path: JsonPath, svc: SecurityInfo): string {
  return withMember(json, path, 'svc', svc);
}

/** The JSON with the gateway's own word in the object at `path`, in the place of whatever stood there. */
export function withMember(json: string, path: JsonPath, key: string, value: object): string {
  return spliceJson(json, [
    { kind: 'remove', path: [...path, key] },
    { kind: 'insert', path, key, json: JSON.stringify(value) },
  ]);
}

/** JSON as the one line that an event's data is: a provider may spread it over several. Line breaks in it stand between values only. */
export function oneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}
