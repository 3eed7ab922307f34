import type { TableName } from '../../functions/adapters/dynamo/tables.ts';
import { type Item, keyOf } from './stored-items.ts';

/** A shape of stored items: whose key matches, and which have an attribute if one is named. */
interface ItemKind {
  readonly name: string;
  readonly key: RegExp;
  readonly has?: string;
  /** The file of the adapter that writes it. */
  readonly writer: string;
  /** Why no sample has it. */
  readonly noSample?: string;
}

/** Every shape that a table holds. A new one also needs a request in traffic.ts that stores it. */
export const ITEM_KINDS: Readonly<Record<TableName, readonly ItemKind[]>> = {
  keys: [
    { name: 'name of a key', key: /^key#/, writer: 'dynamo-key-store' },
    { name: 'redirect of a rotated key', key: /^secret#/, has: 'movedTo', writer: 'dynamo-key-store' },
    { name: 'key with an event', key: /^secret#/, has: 'outbox', writer: 'dynamo-outbox' },
    { name: 'key', key: /^secret#/, has: 'key', writer: 'dynamo-key-store' },
    {
      name: "places of a team's new keys",
      key: /^places#/,
      writer: 'team-places',
      noSample: 'no released version has teams',
    },
    {
      name: 'digests of imported secrets',
      key: /^imported#current$/,
      writer: 'dynamo-document-store',
      noSample: 'no released version imports secrets',
    },
    {
      name: 'identity',
      key: /^identity#/,
      writer: 'dynamo-identity-store',
      noSample: 'no released version has identities',
    },
    {
      name: 'count of the new identities of an issuer or a team',
      key: /^identities#/,
      writer: 'dynamo-identity-store',
      noSample: 'no released version has identities',
    },
  ],
  limits: [
    { name: 'pins of tools', key: /^tools#/, writer: 'dynamo-tool-pin-store', noSample: 'no released version pins' },
    { name: 'limits of a key', key: /^key_/, writer: 'dynamo-limit-store' },
    { name: 'budget of a tag', key: /^tag_\[/, writer: 'dynamo-limit-store' },
    {
      name: 'sum of tool calls',
      key: /^total_/,
      writer: 'dynamo-limit-store',
      noSample: 'has the attributes of a tag budget',
    },
    {
      name: 'open circuits',
      key: /^circuits$/,
      writer: 'dynamo-open-circuits',
      noSample: 'no released version shares them',
    },
    {
      name: 'simultaneous requests of a target',
      key: /^target_\[/,
      writer: 'dynamo-limit-store',
      noSample: 'has the attributes of a key with maxConcurrent',
    },
    { name: 'sign-in attempts', key: /^sign-in#/, writer: 'dynamo-limit-store' },
    {
      name: 'budget of the detector model',
      key: /^model_judge$/,
      writer: 'dynamo-limit-store',
      noSample:
        'has the attributes of a tag budget; the model is called only for texts about which the rules are uncertain',
    },
  ],
  sessions: [
    {
      name: 'session with digests',
      key: /^key_\w+#/,
      has: 'values',
      writer: 'dynamo-session-store',
      noSample: 'no released version remembers values',
    },
    { name: 'named session', key: /^key_\w+#/, writer: 'dynamo-session-store' },
    { name: "end user's session", key: /^user#/, writer: 'dynamo-session-store' },
    { name: 'background response', key: /^given#/, has: 'unread', writer: 'dynamo-issued-ids' },
    { name: 'id of a provider', key: /^given#/, has: 'keyId', writer: 'dynamo-issued-ids' },
    { name: 'withdrawn id', key: /^given#/, writer: 'dynamo-end-user-data' },
  ],
  policies: [
    {
      name: 'document with an event',
      key: /current$/,
      has: 'outbox',
      writer: 'dynamo-outbox',
      noSample: 'no released version withdraws roll-outs or has an override',
    },
    { name: 'policy in force', key: /^current$/, writer: 'dynamo-document-store' },
    { name: 'earlier policy', key: /^version#/, writer: 'dynamo-document-store' },
    {
      name: 'version of the routes',
      key: /^routes#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores routes',
    },
    {
      name: 'stored credentials',
      key: /^credentials#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores credentials',
    },
    {
      name: 'teams',
      key: /^teams#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores teams',
    },
    {
      name: 'alerts',
      key: /^alerts#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores alerts',
    },
    {
      name: 'state of an alert',
      key: /^alert-state#/,
      writer: 'dynamo-state-store',
      noSample: 'no released version stores alerts',
    },
    {
      name: 'saved views',
      key: /^views#/,
      writer: 'dynamo-state-store',
      noSample: 'no released version saves views',
    },
    {
      name: 'state of the spend report',
      key: /^report-state#/,
      writer: 'dynamo-state-store',
      noSample: 'no released version reports spend',
    },
    {
      name: 'approved definition of an MCP tool',
      key: /^mcp-approved#/,
      writer: 'dynamo-state-store',
      noSample: 'no released version serves MCP',
    },
    {
      name: 'definitions of MCP tools that were shown',
      key: /^mcp-shown#/,
      writer: 'dynamo-state-store',
      noSample: 'no released version serves MCP',
    },
    {
      name: 'use of a credential',
      key: /^credential-use#/,
      writer: 'dynamo-credential-uses',
      noSample: 'no released version stores credentials',
    },
    {
      name: 'version of the providers',
      key: /^providers#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores providers',
    },
    {
      name: 'version of the override',
      key: /^override#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version has an override',
    },
    {
      name: 'version of the prices',
      key: /^prices#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores prices',
    },
    {
      name: 'version of the issuers of tokens',
      key: /^identity#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores issuers',
    },
    {
      name: 'version of the MCP servers',
      key: /^mcp-servers#/,
      writer: 'dynamo-document-store',
      noSample: 'no released version stores MCP servers',
    },
  ],
  idempotency: [
    { name: 'cancellation mark', key: /^cancel#/, writer: 'dynamo-cancellation-store' },
    { name: 'repeatable response', key: /^\w{64}$/, has: 'token', writer: 'dynamo-idempotency-store' },
    { name: 'items of a translated response', key: /^\w{64}$/, has: 'salt', writer: 'dynamo-item-store' },
    { name: 'part of a long response', key: /#\d+$/, writer: 'dynamo-idempotency-store' },
  ],
  approvals: [
    {
      name: 'approval of a tool call',
      key: /^key_\w+#/,
      writer: 'dynamo-approval-store',
      noSample: 'no released version asks',
    },
    {
      name: 'wrong codes of a key',
      key: /^wrong#/,
      writer: 'dynamo-approval-store',
      noSample: 'no released version asks',
    },
    {
      name: 'batch of a key',
      key: /^batches#/,
      writer: 'dynamo-batch-store',
      noSample: 'no released version has batches',
    },
  ],
  audit: [
    { name: 'end of the chain', key: /^head$/, writer: 'dynamo-audit-log' },
    { name: 'audit record', key: /^record#/, writer: 'dynamo-audit-log' },
  ],
  records: [
    { name: 'record with a mark', key: /^\d#all /, has: 'mark0', writer: 'dynamo-request-records' },
    { name: 'record with an event', key: /^\d#all /, has: 'outbox', writer: 'dynamo-request-records' },
    { name: 'record', key: /^\d#all /, has: 'record', writer: 'dynamo-request-records' },
    { name: 'position of the local stream', key: /^stream journal$/, writer: 'table-streams' },
  ],
  captures: [{ name: 'captured texts', key: /^req_/, writer: 'dynamo-request-records' }],
  aggregates: [
    { name: 'totals', key: /^(?:minute|hour|day)#sums#/, writer: 'dynamo-aggregates' },
    { name: 'findings', key: /^(?:minute|hour|day)#threats#/, writer: 'dynamo-aggregates' },
    {
      name: 'values of tags of requests',
      key: /^tags#/,
      writer: 'dynamo-aggregates',
      noSample: 'no released version has tags of requests',
    },
    { name: 'totals of a session', key: /^session#/, writer: 'dynamo-aggregates' },
    { name: 'deleted end user', key: /^forgotten#/, writer: 'dynamo-end-user-data' },
    {
      name: 'counts of a roll-out',
      key: /^rollout#/,
      writer: 'dynamo-aggregates',
      noSample: 'no released version rolls policies out',
    },
  ],
  webhooks: [
    { name: 'failing webhook', key: /^webhooks wh_/, has: 'failingSince', writer: 'dynamo-webhook-store' },
    {
      name: 'webhook of a chat',
      key: /^webhooks wh_/,
      has: 'address',
      writer: 'dynamo-webhook-store',
      noSample: 'no released version sends to chats',
    },
    { name: 'webhook', key: /^webhooks wh_/, writer: 'dynamo-webhook-store' },
  ],
  deliveries: [
    { name: 'digest', key: / delivery$/, has: 'phase', writer: 'dynamo-digest-store' },
    { name: 'gathered delivery', key: / delivery$/, has: 'digestId', writer: 'dynamo-delivery-store' },
    { name: 'delivery', key: / delivery$/, writer: 'dynamo-delivery-store' },
    { name: 'event of a digest', key: / event#/, writer: 'dynamo-digest-store' },
    { name: 'minute of similar events', key: /^alike#/, writer: 'dynamo-digest-store' },
    { name: "endpoint's turn", key: /^turn#/, writer: 'dynamo-endpoint-turns' },
  ],
};

/** The kind of an item: the first that fits. */
export function kindOf(table: TableName, item: Item): ItemKind | undefined {
  return ITEM_KINDS[table].find(({ key, has }) => key.test(keyOf(item)) && (has === undefined || has in item));
}
