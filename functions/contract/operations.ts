import { alertOperations } from './alerts.ts';
import { analyticsOperations } from './analytics.ts';
import { approvalOperations } from './approvals.ts';
import { auditOperations } from './audit.ts';
import { credentialOperations } from './credentials.ts';
import { deliveryOperations } from './deliveries.ts';
import { endUserOperations } from './end-users.ts';
import { callerIdentityOperations, identityOperations } from './identity.ts';
import { keyToolOperations } from './key-tools.ts';
import { keyOperations } from './keys.ts';
import { mcpServerOperations } from './mcp-servers.ts';
import type { Operation } from './operation.ts';
import { policyOperations } from './policy.ts';
import { priceOperations } from './prices.ts';
import { providerOperations } from './providers.ts';
import { recordOperations } from './records.ts';
import { replayOperations } from './replay.ts';
import { routeOperations } from './routes.ts';
import { settingsOperations } from './settings.ts';
import { signInOperations, singleSignOnOperations } from './sign-in.ts';
import { teamOperations } from './teams.ts';
import { viewOperations } from './views.ts';
import { webhookOperations } from './webhooks.ts';

const BY_ID = {
  ...signInOperations,
  ...singleSignOnOperations,
  ...keyOperations,
  ...keyToolOperations,
  ...teamOperations,
  ...alertOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...policyOperations,
  ...replayOperations,
  ...providerOperations,
  ...mcpServerOperations,
  ...credentialOperations,
  ...routeOperations,
  ...priceOperations,
  ...identityOperations,
  ...callerIdentityOperations,
  ...settingsOperations,
  ...endUserOperations,
  ...approvalOperations,
  ...auditOperations,
  ...viewOperations,
  ...analyticsOperations,
  ...recordOperations,
} satisfies Readonly<Record<string, Operation>>;
/** The operations with the types of their schemas. */
export type Operations = typeof BY_ID;

/** Every operation of the admin and analytics API, by its id. The document has them in this order. */
export const OPERATIONS: Readonly<Record<string, Operation>> = BY_ID;
