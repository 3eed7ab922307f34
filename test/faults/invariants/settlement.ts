import { type Asked, costOf, type Ledger, metKill, metStores, type SoakKey, type Usage } from '../ledger.ts';
import { PROVIDER_FAULTS } from '../provider-faults.ts';
import type { Finding, Invariant } from './invariant.ts';

/** The least and the most that requests may have come to. */
interface Range {
  readonly least: number;
  readonly most: number;
}

const NOTHING: Range = { least: 0, most: 0 };
/** Characters per token, as in the gateway's estimate without reported usage. */
const CHARS_PER_TOKEN = 4;
const SLACK_TOKENS = 4;
/** Requests of each key when the reservations of dead processes have expired. */
const ASKED_AFTER_EXPIRY = 2;
const PICOS_A_MONTH = 2_592_000n * 1_000_000_000_000n;

/**
 * Usage in budgets and token buckets equals the usage that the provider reported, to the token. A request whose process was killed
 * counts fully or not at all; one during a failure of the stores counts once, or the log reports it as not counted.
 */
export const spentIsUsed: Invariant = {
  name: "each budget's spending is what the provider reported, to the billionth of a dollar",
  least: 50,
  check: (ledger) =>
    perKey(
      ledger,
      ({ nanoUsd }) => nanoUsd !== undefined,
      costOf,
      (key, used) => {
        const item = ledger.found.limits.find(({ keyId }) => keyId === key.id);
        const spent = (item?.spent ?? 0) - (item?.held ?? 0);
        return within(spent, used) ? undefined : `spent ${spent}, used ${used.least} to ${used.most}`;
      },
    ),
};

/** The debt of a bucket is an instant; it starts at the first settlement, whose own instant is known by the request's end. */
export const tokensAreUsed: Invariant = {
  name: 'each bucket of tokens is charged what the provider reported, to the token',
  least: 10,
  check: (ledger) =>
    perKey(
      ledger,
      ({ id }) => ledger.found.tokensFrom.has(id),
      ({ input, output }) => input + output,
      (key, used) => {
        const item = ledger.found.limits.find(({ keyId }) => keyId === key.id);
        const interval = (PICOS_A_MONTH + BigInt(key.tokens ?? 1) - 1n) / BigInt(key.tokens ?? 1);
        const owed = Number((item?.tokensAt ?? 0n) - (ledger.found.tokensFrom.get(key.id) ?? 0n)) / Number(interval);
        // The first settlement came up to three seconds after its response.
        const late = Number(5_000_000_000_000n) / Number(interval);
        return owed >= used.least - late && owed <= used.most + late
          ? undefined
          : `owed ${owed.toFixed(2)}, used ${used.least} to ${used.most}`;
      },
    ),
};

/** Nothing is reserved when nothing runs: what requests of dead processes held was given back when its time was over. */
export const nothingHeld: Invariant = {
  name: 'no reservation is left once those of killed processes have expired',
  least: 4,
  check: (ledger) => {
    const { keys, asked, found } = ledger;
    // It is given back with the next admission: of a key whose bucket of requests is empty there is none.
    const empty = new Set(
      keys.filter(({ purpose }) => purpose === 'limited' || purpose === 'busy').map(({ id }) => id),
    );
    const last = (id: string) => asked.filter(({ keyId }) => keyId === id).slice(-ASKED_AFTER_EXPIRY);
    const isExcused = (id: string) =>
      (empty.has(id) && last(id).at(-1)?.status === 429) || last(id).some((one) => mayHold(one, ledger));
    const excused = found.limits.filter(({ keyId }) => isExcused(keyId));
    const violations = found.limits
      .filter((item) => !excused.includes(item))
      .filter(({ open, tokensHeld, held }) => open !== 0 || tokensHeld !== 0n || held !== 0)
      .map(({ keyId, open, tokensHeld, held }) => {
        const answers = last(keyId).map(({ instance, status, ending }) => `${status} ${ending} of ${instance}`);
        return `${keyId}: ${open} open, ${tokensHeld} tokens, ${held} of money; last ${answers.join(', ')}`;
      });
    return { checked: found.limits.length, excused: excused.length, violations };
  },
};

function perKey(
  ledger: Ledger,
  applies: (key: SoakKey) => boolean,
  of: (usage: Usage) => number,
  check: (key: SoakKey, used: Range) => string | undefined,
): Finding {
  const keys = ledger.keys.filter(applies);
  const violations: string[] = [];
  let [checked, excused] = [0, 0];
  for (const key of keys) {
    const asked = ledger.asked.filter(({ keyId }) => keyId === key.id);
    const ranges = asked.map((one) => usedBy(one, ledger, of));
    checked += ranges.length;
    excused += ranges.filter(({ least, most }) => least !== most).length;
    const wrong = check(key, ranges.reduce(plus, NOTHING));
    if (wrong !== undefined) violations.push(`${key.id} (${key.purpose}): ${wrong}`);
  }
  return { checked, excused, violations };
}

/** What it used may not have been counted: its process was killed, or the log says so of its key while the stores were away. */
function isUnsure(asked: Asked, { disturbances, found }: Ledger): boolean {
  return metKill(asked, disturbances) || (metStores(asked, disturbances) && found.uncounted.includes(asked.keyId));
}

/** What it reserved may still be held: a store that failed or was slow did not settle it, or admitted it after its caller had given up. */
function mayHold(asked: Asked, ledger: Ledger): boolean {
  return isUnsure(asked, ledger) || (metStores(asked, ledger.disturbances) && asked.status === 503);
}

function plus(a: Range, b: Range): Range {
  return { least: a.least + b.least, most: a.most + b.most };
}

/** What the request used by the provider's word, as far as it can be known from outside. */
function usedBy(asked: Asked, ledger: Ledger, of: (usage: Usage) => number): Range {
  const calls = ledger.calls.filter(({ caseId }) => caseId === asked.id);
  if (calls.length === 0) return NOTHING;
  const told = calls.flatMap(({ usage }) => usage ?? []);
  const textChars = Math.max(...calls.map((call) => call.textChars));
  const estimate: Usage = {
    input: Math.ceil(asked.inputChars / CHARS_PER_TOKEN),
    output: Math.ceil(textChars / CHARS_PER_TOKEN) + SLACK_TOKENS,
  };
  const most = Math.max(of(estimate), ...told.map(of));
  if (isUnsure(asked, ledger)) return { least: 0, most };
  if (asked.ending === 'whole') {
    const [usage] = told;
    return usage === undefined ? NOTHING : { least: of(usage), most: of(usage) };
  }
  if (asked.ending === 'left' || asked.code === 'request_cancelled')
    return { least: of({ input: Math.min(estimate.input, ...told.map(({ input }) => input)), output: 0 }), most };
  const { counts } = PROVIDER_FAULTS[asked.fault];
  if (counts !== 'estimate') return NOTHING;
  return { least: 0, most: of(estimate) };
}

function within(value: number, { least, most }: Range): boolean {
  return value >= least && value <= most;
}
