import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SdkCall } from './sdk-call.ts';

export const RECORDED_CALLS_FILE = path.join(import.meta.dirname, '../deployment/recorded-calls.generated.json');

/** What each function called while the tests of test/runtime drove it, by the name of its role. */
export type RecordedCalls = Readonly<Record<string, readonly SdkCall[]>>;

/**
 * Calls of one function that differ in action, resource or what they return, each with all attributes and keys that such
 * calls named: IAM's conditions ask of every one of them, so the sum is the hardest to allow.
 */
export class CallTally {
  private readonly recorded = new Map<string, SdkCall>();

  add(call: SdkCall): void {
    const { action, resource, returnValues, leadingKeys = [] } = call;
    // A policy may allow other attributes for some items than for the rest, and IAM is asked for each update by itself.
    const items = action === 'dynamodb:UpdateItem' ? leadingKeys.join() : '';
    const name = `${action} ${resource} ${returnValues ?? ''} ${items}`;
    const before = this.recorded.get(name);
    this.recorded.set(name, {
      action,
      resource,
      ...union('attributes', before, call),
      ...union('leadingKeys', before, call),
      ...(returnValues !== undefined && { returnValues }),
    });
  }

  /** In the order of their names. */
  calls(): SdkCall[] {
    return [...this.recorded].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, call]) => call);
  }
}

function union(field: 'attributes' | 'leadingKeys', ...calls: (SdkCall | undefined)[]): object {
  const values = calls.flatMap((call) => call?.[field] ?? []);
  return values.length === 0 ? {} : { [field]: [...new Set(values)].sort() };
}

/** As `npm run generate recorded-calls` wrote them last. */
export function readRecordedCalls(): RecordedCalls {
  return JSON.parse(readFileSync(RECORDED_CALLS_FILE, 'utf8'));
}
