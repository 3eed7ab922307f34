import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import {
  disabledEvent,
  type StoredWebhook,
  type WebhookPage,
  type WebhookRegistry,
  type WebhookStore,
} from '../../control/webhooks/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import {
  type DisabledReason,
  type GatewayEvent,
  toWebhookView,
  type Webhook,
  type WebhookSecret,
} from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { SecretSealer } from '../aws/secret-sealer.ts';
import { isWritten } from './dynamo-calls.ts';
import { addingToOutbox } from './dynamo-outbox.ts';

/** All endpoints are in one partition: a delivery reads them all, and they are few. */
const PARTITION = 'webhooks';
const PAGE = 100;
const ID = /^wh_[0-9a-f]{32}$/;

/** The settings stored unencrypted, without the attributes that others change: state and failing time. */
type Settings = Pick<Webhook, 'id' | 'url' | 'format' | 'events' | 'filter' | 'description' | 'createdAt'>;
/** What is sealed of another format than `svc`; its settings have the shown address. */
type Address = Pick<Webhook, 'url' | 'routingKey'>;

interface WebhookItem {
  /** Settings as JSON. */
  readonly settings: string;
  /** WebhookSecret[] as JSON, sealed. */
  readonly secrets: string;
  /** Address as JSON, sealed; absent with the format `svc`. */
  readonly address?: string;
  /** Why it is disabled, or `active`. */
  readonly state: 'active' | DisabledReason;
  readonly version: number;
  /** ISO 8601; absent if the last attempt succeeded. */
  readonly failingSince?: string;
}

/**
 * Endpoints in DynamoDB, one item each, by their ids, which increase with time. Secrets are sealed in the item and bound to it. Changes by
 * an administrator, and disabling, require the version that was read; recording a failure does not.
 */
export class DynamoWebhookStore implements WebhookStore, WebhookRegistry {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly sealer: SecretSealer;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(client: DynamoClient, tableName: string, sealer: SecretSealer, clock: Pick<Clock, 'now'>) {
    this.client = client;
    this.tableName = tableName;
    this.sealer = sealer;
    this.clock = clock;
  }

  async get(id: string): Promise<Webhook | undefined> {
    return (await this.find(id))?.webhook;
  }

  async listActive(): Promise<readonly Webhook[]> {
    const active: Webhook[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.list(PAGE, cursor);
      active.push(...page.webhooks.flatMap(({ webhook }) => (webhook.state === 'active' ? [webhook] : [])));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return active;
  }

  async disable(webhook: Webhook, reason: DisabledReason): Promise<boolean> {
    const read = await this.find(webhook.id);
    if (read === undefined || read.webhook.state !== 'active' || read.webhook.url !== webhook.url) return false;
    const disabled: Webhook = { ...read.webhook, state: 'disabled', disabledReason: reason };
    return this.replace(read, disabled, disabledEvent(disabled, this.clock.now()));
  }

  async noteFailing(id: string, since: string | null): Promise<void> {
    const names = { '#sk': 'sk', '#failingSince': 'failingSince' };
    await this.update(id, {
      UpdateExpression: since === null ? 'REMOVE #failingSince' : 'SET #failingSince = :since',
      // The first failure time is kept.
      ConditionExpression: `attribute_exists(#sk) AND attribute_${since === null ? 'exists' : 'not_exists'}(#failingSince)`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: since === null ? undefined : { ':since': since },
    });
  }

  async find(id: string): Promise<StoredWebhook | undefined> {
    const item = await this.read(id);
    return item && this.toStored(id, item);
  }

  async list(limit: number, cursor: string | undefined): Promise<WebhookPage> {
    if (cursor !== undefined && !ID.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
    }
    const read = () =>
      this.client.send(
        new QueryCommand({
          TableName: this.tableName,
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': 'pk' },
          ExpressionAttributeValues: { ':pk': PARTITION },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: limit,
          ExclusiveStartKey: cursor === undefined ? undefined : keyOf(cursor),
        }),
      );
    const { Items = [], LastEvaluatedKey } = await reachStore('webhooks table', read);
    const webhooks = await Promise.all(Items.map((item) => this.toStored(item.sk, item as WebhookItem)));
    const nextCursor = LastEvaluatedKey?.sk;
    return nextCursor === undefined ? { webhooks } : { webhooks, nextCursor };
  }

  async create(webhook: Webhook): Promise<void> {
    const item = await this.toItem(webhook, 1);
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: { ...keyOf(webhook.id), ...item },
          ConditionExpression: 'attribute_not_exists(#sk)',
          ExpressionAttributeNames: { '#sk': 'sk' },
        }),
      );
    // The id is random: an existing item comes from an attempt whose response was lost.
    await isWritten('webhooks table', write);
  }

  async replace({ webhook: read, version }: StoredWebhook, webhook: Webhook, event?: GatewayEvent): Promise<boolean> {
    const item = await this.toItem(webhook, version + 1);
    const names = Object.keys(item);
    const added = addingToOutbox(event);
    const forgets = webhook.failingSince === null && read.failingSince !== null;
    const replaced = await this.update(webhook.id, {
      UpdateExpression: [
        `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${added.set}`,
        ...(forgets ? ['REMOVE #failingSince'] : []),
      ].join(' '),
      ConditionExpression: '#version = :read',
      ExpressionAttributeNames: {
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ...(forgets && { '#failingSince': 'failingSince' }),
        ...added.names,
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(item).map(([name, value]) => [`:${name}`, value])),
        ':read': version,
        ...added.values,
      },
    });
    if (replaced) return true;
    // The retry of a write whose response was lost fails its condition. No two writes produce the same sealed text.
    return (await this.read(webhook.id))?.secrets === item.secrets;
  }

  async delete({ webhook: { id }, version }: StoredWebhook): Promise<boolean> {
    const write = () =>
      this.client.send(
        new DeleteCommand({
          TableName: this.tableName,
          Key: keyOf(id),
          ConditionExpression: 'attribute_not_exists(#sk) OR #version = :read',
          ExpressionAttributeNames: { '#sk': 'sk', '#version': 'version' },
          ExpressionAttributeValues: { ':read': version },
        }),
      );
    return isWritten('webhooks table', write);
  }

  private async read(id: string): Promise<WebhookItem | undefined> {
    // DynamoDB refuses an invalid key, which would look like a store failure.
    if (!ID.test(id)) return undefined;
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: keyOf(id), ConsistentRead: true }));
    return (await reachStore('webhooks table', read)).Item as WebhookItem | undefined;
  }

  /** @returns false if the condition fails */
  private update(id: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<boolean> {
    const write = () => this.client.send(new UpdateCommand({ ...input, TableName: this.tableName, Key: keyOf(id) }));
    return isWritten('webhooks table', write);
  }

  private async toItem(webhook: Webhook, version: number): Promise<Omit<WebhookItem, 'failingSince'>> {
    const { secrets, state, disabledReason, failingSince: _, routingKey, ...settings } = webhook;
    const isPublic = (settings.format ?? 'svc') === 'svc';
    const view = toWebhookView(webhook, this.clock.now());
    const address: Address = { url: webhook.url, routingKey };
    return {
      settings: JSON.stringify({ ...settings, url: isPublic ? webhook.url : view.url } satisfies Settings),
      secrets: await this.sealer.seal(JSON.stringify(secrets), webhook.id),
      ...(!isPublic && { address: await this.sealer.seal(JSON.stringify(address), webhook.id) }),
      // An active endpoint has no reason.
      state: state === 'active' ? state : (disabledReason ?? 'admin'),
      version,
    };
  }

  private async toStored(id: string, item: WebhookItem): Promise<StoredWebhook> {
    const webhook: Webhook = {
      ...(JSON.parse(item.settings) as Settings),
      ...(item.address !== undefined && (JSON.parse(await this.sealer.open(item.address, id)) as Address)),
      state: item.state === 'active' ? 'active' : 'disabled',
      disabledReason: item.state === 'active' ? null : item.state,
      failingSince: item.failingSince ?? null,
      secrets: JSON.parse(await this.sealer.open(item.secrets, id)) as WebhookSecret[],
    };
    return { webhook, version: item.version };
  }
}

function keyOf(id: string): { pk: string; sk: string } {
  return { pk: PARTITION, sk: id };
}
