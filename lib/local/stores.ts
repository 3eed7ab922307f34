import type { TableName } from '../../functions/adapters/dynamo/tables.ts';
import type { CredentialSource } from '../../functions/pipeline/index.ts';
import type { ProviderSettings } from '../../functions/translation/index.ts';

type Secret = () => Promise<string>;

/** Where a run has its tables, queues and secrets. */
export interface Stores {
  readonly tables: Readonly<Record<TableName, string>>;
  readonly eventsQueueUrl: string;
  readonly deliveriesQueueUrl: string;
  readonly pepper: Secret;
  readonly sealingKey: Secret;
  /** The variable by which a helper process gets the sealing key, or the secret to read it from. */
  readonly sealing: { readonly SVC_SEALING_KEY: string } | { readonly SVC_SEALING_SECRET_ARN: string };
  readonly credentialsKey: Secret;
  readonly providerSettings: () => Promise<ProviderSettings>;
  /** The source of those settings, if they may change. */
  readonly credentials?: CredentialSource;
  /** Whether the process may call other services of AWS with its credentials. */
  readonly hasIdentity: boolean;
  /** No other process uses them. */
  readonly alone: boolean;
  /** Counts records, relays events, delivers webhooks and watches keys. */
  readonly background: 'functions' | 'containers';
  /** Variables by which helper processes reach them. */
  readonly access: Readonly<Record<string, string>>;
  /** What the page of settings shows. */
  readonly shown: {
    readonly database: 'dynamodb' | 'embedded' | 'custom';
    readonly queues: 'sqs' | 'embedded' | 'custom';
    readonly dataFolder: string | null;
  };
  stop(): Promise<void>;
}
