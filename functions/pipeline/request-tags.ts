import { GatewayError } from '../kernel/errors/index.ts';
import type { RequestHeaders } from '../kernel/http/index.ts';
import type { Warning } from '../kernel/model/index.ts';

const HEADER = 'X-Svc-Tags';
const MAX_TAGS = 10;
const TAG = /^([A-Za-z0-9_.-]{1,64})=([\x21-\x2b\x2d-\x7e](?:[\x20-\x2b\x2d-\x7e]{0,62}[\x21-\x2b\x2d-\x7e])?)$/;

/** Tags that a caller gives one request. They are recorded; no limit, policy, route or roll-out reads them. */
export interface RequestTags {
  readonly tags: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
}

/** @param fixed tags of the key, which keep their value. @throws GatewayError `invalid_value` for a malformed tag, a name twice or too many */
export function readRequestTags(headers: RequestHeaders, fixed: Readonly<Record<string, string>>): RequestTags {
  const text = headers.get(HEADER) ?? '';
  const pairs = text === '' ? [] : text.split(',').map(readTag);
  const names = pairs.map(([name]) => name);
  if (pairs.length > MAX_TAGS) throw invalid(`must have at most ${MAX_TAGS} tags`);
  if (new Set(names).size < names.length) throw invalid('names a tag twice');
  return {
    tags: Object.fromEntries(pairs.filter(([name]) => !Object.hasOwn(fixed, name))),
    warnings: names.filter((name) => Object.hasOwn(fixed, name)).map(toWarning),
  };
}

function readTag(written: string): readonly [name: string, value: string] {
  const [, name, value] = TAG.exec(written.trim()) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw invalid(
    'must be tags such as feature=search, with commas between them: a name of letters, digits, _, . and -, and a value, each of 1 to 64 visible ASCII characters',
  );
}

function toWarning(name: string): Warning {
  return {
    code: 'tag_ignored',
    field: HEADER,
    message: `The tag '${name}' keeps the value that an administrator gave it.`,
  };
}

function invalid(what: string): GatewayError {
  return new GatewayError('invalid_value', `The header ${HEADER} ${what}.`, { param: HEADER });
}
