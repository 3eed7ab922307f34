import { ConditionalCheckFailedException, ThrottlingException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { PUBLISHED } from './limits.ts';

const UNIT_BYTES = 1_024;
/** About as long as DynamoDB takes for a write. */
const WRITE_MS = 5;
/** As of CallRetries (adapters/aws/sdk-transport.ts). */
const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 1_000;

/** All attributes of an item of limits but its key are whole numbers. */
type Numbers = Map<string, bigint>;
type Input = UpdateCommand['input'];

/** What was asked of the items. */
export interface Writes {
  /** All, also those that were not made. */
  sent: number;
  units: number;
  /** Whose condition failed. */
  conflicts: number;
  /** Of all, admissions; the others settle. */
  admissions: number;
  /** That the partition refused. */
  throttled: number;
  /** The largest item, bytes. */
  largest: number;
}

/**
 * Items in one partition that takes as many write units a second as AWS publishes, on the clock of `setTimeout`. Its expressions are evaluated
 * as far as limits use them; a write takes 5 ms and is repeated after pauses like those of the SDK.
 */
export class SimulatedPartition {
  readonly writes: Writes = { sent: 0, units: 0, conflicts: 0, admissions: 0, throttled: 0, largest: 0 };
  private readonly items = new Map<string, Numbers>();
  private readonly random: () => number;
  /** Write units that may be used now: at most those of a second. */
  private left: number = PUBLISHED.dynamodb.partitionWrites;
  private filledAtMs = Date.now();

  constructor(random: () => number) {
    this.random = random;
  }

  /** A client that tries each write so many times. */
  client(attempts: number): DynamoClient {
    const send = async (command: unknown, options?: { onSent?: () => void }) => {
      if (!(command instanceof UpdateCommand)) throw new TypeError('only updates are simulated');
      for (let attempt = 1; ; attempt += 1) {
        options?.onSent?.();
        await pause(WRITE_MS);
        try {
          return this.update(command.input);
        } catch (error) {
          if (!(error instanceof ThrottlingException) || attempt === attempts) throw error;
          await pause(this.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
        }
      }
    };
    return { send } as unknown as DynamoClient;
  }

  /** Stores an item without a condition. */
  put(pk: string, attributes: Readonly<Record<string, number>>): void {
    this.items.set(pk, new Map(Object.entries(attributes).map(([name, value]) => [name, BigInt(value)])));
  }

  private update(input: UpdateCommand['input']): object {
    this.writes.sent += 1;
    if (input.ExpressionAttributeNames?.['#mark'] !== undefined) this.writes.admissions += 1;
    const now = Date.now();
    this.left = Math.min(
      PUBLISHED.dynamodb.partitionWrites,
      this.left + ((now - this.filledAtMs) * PUBLISHED.dynamodb.partitionWrites) / 1_000,
    );
    this.filledAtMs = now;
    // DynamoDB refuses while nothing is left; the write that uses the last unit may use more.
    if (this.left < 1) {
      this.writes.throttled += 1;
      throw new ThrottlingException({ message: 'KeyRangeThroughputExceeded', $metadata: {} });
    }
    const pk = String(input.Key?.pk);
    const before: Numbers = this.items.get(pk) ?? new Map();
    const holds = conditionOf(input.ConditionExpression ?? '')(scopeOf(input, before));
    const after = holds ? updated(input, before) : before;
    const bytes = pk.length + 2 + Math.max(bytesOf(before), bytesOf(after));
    const units = Math.max(1, Math.ceil(bytes / UNIT_BYTES));
    this.writes.largest = Math.max(this.writes.largest, bytes);
    this.writes.units += units;
    this.left -= units;
    if (!holds) {
      this.writes.conflicts += 1;
      throw new ConditionalCheckFailedException({ message: 'failed', $metadata: {}, Item: marshall(itemOf(before)) });
    }
    this.items.set(pk, after);
    return { Attributes: itemOf(after) };
  }
}

function itemOf(numbers: Numbers): Record<string, number | bigint> {
  const small = (value: bigint) =>
    BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return Object.fromEntries([...numbers].map(([name, value]) => [name, small(value)]));
}

function bytesOf(numbers: Numbers): number {
  let sum = 0;
  for (const [name, value] of numbers) sum += name.length + Math.ceil(String(value).length / 2) + 1;
  return sum;
}

/** Values of placeholders. */
type Scope = (placeholder: string) => bigint | undefined;

function scopeOf({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Input, item: Numbers): Scope {
  return (placeholder) =>
    placeholder.startsWith('#')
      ? item.get(ExpressionAttributeNames[placeholder] ?? '')
      : BigInt(ExpressionAttributeValues[placeholder]);
}

const compiled = new Map<string, (scope: Scope) => boolean>();

/** A condition as JavaScript: the few forms that update-parts.ts and dynamo-limit-updates.ts write. */
function conditionOf(text: string): (scope: Scope) => boolean {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const name = '(#\\w+)';
  const source = text
    .replace(new RegExp(`${name} BETWEEN (:\\w+) AND (:\\w+)`, 'g'), '($1 >= $2 && $1 <= $3)')
    .replace(new RegExp(`attribute_not_exists\\(${name}\\)`, 'g'), '$1 === undefined')
    .replace(new RegExp(`attribute_exists\\(${name}\\)`, 'g'), '$1 !== undefined')
    .replaceAll(' AND ', ' && ')
    .replaceAll(' OR ', ' || ')
    .replaceAll('<>', '!==')
    .replaceAll(' = ', ' === ')
    .replaceAll(/[#:]\w+/g, (placeholder) => `of('${placeholder}')`);
  const made = new Function('of', `return ${source || 'true'};`) as (scope: Scope) => boolean;
  compiled.set(text, made);
  return made;
}

function updated(input: Input, before: Numbers): Numbers {
  const after = new Map(before);
  const scope = scopeOf(input, before);
  const nameOf = (placeholder = '') => input.ExpressionAttributeNames?.[placeholder] ?? '';
  const amountOf = (operand: string): bigint => {
    const orElse = /^if_not_exists\((#\w+), (:\w+)\)$/.exec(operand);
    return orElse ? (scope(orElse[1] ?? '') ?? scope(orElse[2] ?? '') ?? 0n) : (scope(operand) ?? 0n);
  };
  for (const [, clause, parts = ''] of (input.UpdateExpression ?? '').matchAll(
    /(SET|ADD|REMOVE) (.*?)(?= (?:ADD|REMOVE) |$)/g,
  )) {
    for (const part of parts.split(/, (?=#)/)) {
      const [placeholder, ...rest] = part.split(clause === 'SET' ? ' = ' : ' ');
      const name = nameOf(placeholder);
      if (clause === 'REMOVE') after.delete(name);
      else if (clause === 'ADD') after.set(name, (before.get(name) ?? 0n) + amountOf(rest.join(' ')));
      else
        after.set(
          name,
          rest
            .join(' ')
            .split(' + ')
            .map(amountOf)
            .reduce((sum, value) => sum + value, 0n),
        );
    }
  }
  return after;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
