import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { Item } from './dynamo-calls.ts';

const WHAT = 'limits table, open circuits';
const KEY = { pk: 'circuits' };
/** Before the names of targets, each of which has an attribute. */
const OPEN = 'open#';
/** Circuits that are shared at the same time: clients choose names of models. */
const MAX_OPEN = 200;

/** A circuit that a process has opened. */
export interface OpenCircuit {
  readonly provider: string;
  readonly model: string;
  /** Failed requests in a row. */
  readonly failures: number;
  /** Milliseconds since 1970. */
  readonly openUntil: number;
}

type CircuitItem = Pick<OpenCircuit, 'openUntil' | 'failures'>;

/** The open circuits of all processes, in one small item of the table of limits, so that one read has all. */
export class DynamoOpenCircuits {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(client: DynamoClient, tableName: string, clock: Pick<Clock, 'now'>) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  async list(): Promise<readonly OpenCircuit[]> {
    const item = await this.read();
    return Object.entries(item).flatMap(([name, value]) => toCircuit(name, value) ?? []);
  }

  /** Also removes those that ended, so that the item stays small. */
  async opened({ provider, model, openUntil, failures }: OpenCircuit): Promise<void> {
    const item = await this.read();
    const name = nameOf({ provider, model });
    const open = Object.keys(item).filter((one) => one.startsWith(OPEN) && one !== name);
    const over = open.filter((one) => !(openUntilOf(item[one]) > this.clock.now()));
    if (open.length - over.length >= MAX_OPEN) return;
    await this.update([name], over.slice(0, MAX_OPEN), { openUntil, failures });
  }

  async closed(target: Pick<OpenCircuit, 'provider' | 'model'>): Promise<void> {
    await this.update([], [nameOf(target)]);
  }

  private async read(): Promise<Item> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key: KEY }));
    return (await reachStore(WHAT, read)).Item ?? {};
  }

  private async update(sets: readonly string[], removes: readonly string[], circuit?: CircuitItem): Promise<void> {
    const names = [...sets, ...removes];
    const set = sets.map((_, at) => `SET #n${at} = :circuit`);
    const remove = removes.map((_, at) => `#n${sets.length + at}`).join(', ');
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: KEY,
          UpdateExpression: [...set, ...(remove === '' ? [] : [`REMOVE ${remove}`])].join(' '),
          ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#n${at}`, name])),
          ExpressionAttributeValues: circuit && { ':circuit': circuit },
        }),
      );
    await reachStore(WHAT, write);
  }
}

function nameOf({ provider, model }: Pick<OpenCircuit, 'provider' | 'model'>): string {
  return `${OPEN}${provider}/${model}`;
}

function openUntilOf(value: unknown): number {
  return (value as CircuitItem).openUntil;
}

function toCircuit(name: string, value: unknown): OpenCircuit | undefined {
  const slash = name.indexOf('/');
  if (!name.startsWith(OPEN) || slash < 0) return undefined;
  const { openUntil, failures } = value as CircuitItem;
  return { provider: name.slice(OPEN.length, slash), model: name.slice(slash + 1), failures, openUntil };
}
