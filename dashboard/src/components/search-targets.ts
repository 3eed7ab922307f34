import { OPERATIONS } from '../api/operations.ts';

/** A result of the search. */
export interface Target {
  readonly kind: string;
  readonly name: string;
  /** A path below the dashboard's. */
  readonly href: string;
}

/** Ids of events contain the request's, and those of responses that the gateway wrote: `chatcmpl-…`, `msg_…`, `guard-…`. */
const REQUEST = /^(?:req_|evt_|chatcmpl-|cmpl-|msg_|resp_|guard-|modr-)([0-9a-f]{32})$/;

/** The id of the request that a text names by its own id, or by that of its response or event; undefined if it names none. */
export function requestIdIn(text: string): string | undefined {
  const digits = REQUEST.exec(text.trim())?.[1];
  return digits === undefined ? undefined : `req_${digits}`;
}

/** A trace id alone, in `traceparent`, or in `X-Amzn-Trace-Id`. */
const TRACES = [
  /^([0-9a-f]{32})$/,
  /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/,
  /^(?:.*Root=)?1-([0-9a-f]{8})-([0-9a-f]{24})(?:;|$)/,
];

/** The trace id in a text, as records have it; undefined if there is none. */
export function traceIdIn(text: string): string | undefined {
  const found = TRACES.map((form) => form.exec(text.trim())).find((match) => match !== null);
  return found?.slice(1).join('');
}

/** The requests of a trace. Their list is not read before it is opened: no index has traces. */
export function traceTargets(text: string): Target[] {
  const traceId = traceIdIn(text);
  if (traceId === undefined) return [];
  return [{ kind: 'Requests of the trace', name: traceId, href: `/requests?traceId=${traceId}&range=7d` }];
}

/** The pages of an id, known by its form; empty for other texts. */
export function directTargets(text: string, isAdmin: boolean): Target[] {
  const id = text.trim();
  const requestId = requestIdIn(id);
  if (requestId !== undefined) return [{ kind: 'Request', name: requestId, href: `/requests/${requestId}` }];
  if (/^thr_\w+$/.test(id)) return [{ kind: 'Finding', name: id, href: `/threats/${id}` }];
  if (/^key_[0-9a-f]{32}$/.test(id)) {
    const requests = { kind: 'Requests of the key', name: id, href: `/requests?keyId=${id}&range=7d` };
    return isAdmin ? [{ kind: 'Key', name: id, href: `/keys/${id}` }, requests] : [requests];
  }
  if (isAdmin && /^wh_\w+$/.test(id)) return [{ kind: 'Webhook', name: id, href: `/webhooks/${id}` }];
  return [];
}

/** Settings of the policy, by their part of its page. */
const OF_POLICY: Readonly<Record<string, readonly string[]>> = {
  general: [
    'Preset',
    'Response to a blocked request',
    'If an outside detector fails',
    'Images, audio and files that cannot be read',
    'With a budget, a model without a price',
    'Stored responses to repeated requests',
    'Captured texts',
    'Response limit, tokens',
    'Add a marker to system prompts to detect leaks',
    'Return a masked excerpt with each finding',
  ],
  types: ['Thresholds and actions of finding types'],
  rules: ['Custom rules'],
  tools: ['Rules for tools'],
  json: ['Exceptions (allow)', 'Banned topics', 'Budgets of tags', 'Shadow policy'],
};
const MAX_SETTINGS = 5;

/** A text's words, each after a space. */
const wordsOf = (text: string) => ` ${text.toLowerCase().split(/\W+/).join(' ')}`;

/** Settings with words that begin as a text does: “lab” is not “available”. Each is on the page where it is changed. */
export function settingTargets(text: string, mayPolicy: boolean, mayKeys: boolean): Target[] {
  const wanted = wordsOf(text.trim());
  if (wanted.trim() === '') return [];
  const isFound = ({ name }: Target) => wordsOf(name).includes(wanted);
  const ofPolicy = Object.entries(OF_POLICY).flatMap(([part, names]) =>
    names.map((name) => ({ kind: 'Policy', name, href: `/policy?part=${part}` })),
  );
  const ofKeys = OPERATIONS.createKey.body.flatMap(({ label }) =>
    label === undefined ? [] : [{ kind: 'Setting of a key', name: label, href: '/keys' }],
  );
  return [...(mayPolicy ? ofPolicy : []), ...(mayKeys ? ofKeys : [])].filter(isFound).slice(0, MAX_SETTINGS);
}
