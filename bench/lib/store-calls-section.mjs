import { table } from './table.mjs';

/** List prices of us-east-1, on demand, as AWS has had them since November 2024; dollars. */
const PRICES = {
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 13.3334e-6,
  logByte: 0.5 / 2 ** 30,
};
/** What is done before a request is forwarded; all else is written when it is over. */
const BEFORE = [/^GetItem /, /^Query /, /^admission$/];
const WRITES = /^(?:admission|settlement|UpdateItem |PutItem |DeleteItem )/;

/** The section of bench/results.md on calls to DynamoDB and what requests cost. */
export function storeCallsSection({ rows, heldBackMs, logBytes }) {
  const steady = rows.filter(({ state }) => state === 'one at a time');
  return `## Calls to DynamoDB

Counted between the gateway and its stores, a request; 1 KB prompts, JSON. Before: what the call of the provider waits for. After: written behind the
answer. With many at a time requests share writes, and allowance is put aside.

${table(
  ['Key with', 'Requests', 'Before', 'Key look-ups', 'Admission', 'After', 'Settlement'],
  rows.map(({ name, state, calls }) => [
    name,
    state,
    count(sum(calls, isBefore)),
    count(calls['GetItem keys'] ?? 0),
    count(calls.admission ?? 0),
    count(sum(calls, (call) => !isBefore(call))),
    count(calls.settlement ?? 0),
  ]),
)}

Nobody waits for a settlement: ${steady
    .filter(({ calls }) => calls.settlement)
    .map(
      ({ answerMs, heldBackMs: held }) =>
        `with each of them held back by ${heldBackMs} ms, an answer takes ${held.toFixed(1)} ms, and ${answerMs.toFixed(1)} ms without`,
    )
    .join('; ')} (medians; the next request of the process finds its place all the same).

## Dollars a million requests

At list prices of us-east-1 (on demand: $0.625 a million write units, $0.125 a million read units; Lambda on arm64: $0.20 a million
requests, $13.33 a million GB-seconds; logs: $0.50 a GB), one request at a time, each write below 1 KB. The provider's own price is not in it.

${table(
  ['Part', ...steady.map(({ name }) => name)],
  [
    ...partsOf(steady).map((part) => [part, ...steady.map(({ calls }) => dollars((calls[part] ?? 0) * unitOf(part)))]),
    [`log, ${Math.round(logBytes)} bytes a record`, ...steady.map(() => dollars(logBytes * PRICES.logByte))],
    ['Lambda, invocation', ...steady.map(() => dollars(PRICES.lambdaRequest))],
    ['Lambda, 1 GB, each second that a request takes', ...steady.map(() => dollars(PRICES.lambdaGbSecond))],
  ],
)}
`;
}

function partsOf(rows) {
  return [...new Set(rows.flatMap(({ calls }) => Object.keys(calls)))].sort();
}

function isBefore(call) {
  return BEFORE.some((pattern) => pattern.test(call));
}

function unitOf(call) {
  return WRITES.test(call) ? PRICES.writeUnit : PRICES.readUnit;
}

function sum(calls, which) {
  return Object.entries(calls).reduce((total, [call, number]) => total + (which(call) ? number : 0), 0);
}

function count(number) {
  return Number.isInteger(number) ? String(number) : number.toFixed(2);
}

function dollars(each) {
  return (each * 1e6).toFixed(2);
}
