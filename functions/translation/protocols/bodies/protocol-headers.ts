import { GatewayError } from '../../../kernel/errors/index.ts';
import type { RequestHeaders } from '../../../kernel/http/index.ts';
import type { JsonDocument } from '../../../kernel/json/index.ts';
import type { UpstreamOperation } from '../protocol.ts';

/** The form of a header that providers of the protocol receive. Headers are not inspected, so it must leave no room for text. */
export interface HeaderForm {
  readonly value: RegExp;
  /** Several values, separated by commas. */
  readonly isList?: true;
  /** What the value must be, for errors: `contain only version names`. */
  readonly must: string;
}

/** What checks a request, and forwards headers. */
interface Checked extends UpstreamOperation {
  check(document: JsonDocument): unknown;
}

const MAX_LISTED = 32;

/** The protocol with the request's headers of these lower-case names; its `check` throws for one in another form. */
export function withHeaders<Api extends Checked>(
  protocol: Api,
  headers: RequestHeaders,
  forms: Readonly<Record<string, HeaderForm>>,
): Api {
  const chosen = Object.fromEntries(Object.keys(forms).flatMap((name) => entryOf(name, headers.get(name))));
  if (Object.keys(chosen).length === 0) return protocol;
  return {
    ...protocol,
    headers: chosen,
    check(document: JsonDocument) {
      for (const [name, value] of Object.entries(chosen)) checkHeader(name, value, forms[name] as HeaderForm);
      return protocol.check(document);
    },
  };
}

function entryOf(name: string, value: string | null): [string, string][] {
  return value === null || value === '' ? [] : [[name, value]];
}

/** @throws GatewayError `invalid_value` if a header has another form */
export function checkHeader(name: string, text: string, { value, isList, must }: HeaderForm): void {
  const values = isList ? text.split(',').map((one) => one.trim()) : [text];
  const isValid = (one: string) => value.test(one) || (isList === true && one === '');
  if (values.length <= MAX_LISTED && values.every(isValid)) return;
  throw new GatewayError('invalid_value', `The header ${name} must ${must}.`, { param: name });
}

/**
 * Headers of OpenAI's API that change a request: features under test, and the organization and project that it is billed to.
 * https://platform.openai.com/docs/api-reference/authentication
 */
const OPENAI_HEADERS: Readonly<Record<string, HeaderForm>> = {
  // Such as `assistants=v2` or `responses=experimental`.
  'openai-beta': {
    value: /^[\w.-]{1,64}(?:=[\w.-]{1,64})?$/,
    isList: true,
    must: 'contain only names and versions of features: letters, digits, dots, dashes and =',
  },
  'openai-organization': { value: /^[\w-]{1,64}$/, must: 'be the id of an organization: letters, digits and dashes' },
  'openai-project': { value: /^[\w-]{1,64}$/, must: 'be the id of a project: letters, digits and dashes' },
};

/** A protocol of OpenAI with the request's headers of OpenAI's API. */
export function withOpenAiHeaders<Api extends Checked>(protocol: Api, headers: RequestHeaders): Api {
  return withHeaders(protocol, headers, OPENAI_HEADERS);
}
