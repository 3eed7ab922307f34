import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { grantKey } from '../constructs/grants.ts';
import { addAdminApi } from '../functions/admin-api.ts';
import { addEventRelay } from '../functions/event-relay.ts';
import { addFindingsExport } from '../functions/findings-export.ts';
import { addFirstAdminKey } from '../functions/first-admin-key.ts';
import { addGateway } from '../functions/gateway.ts';
import { addKeyWatch } from '../functions/key-watch.ts';
import { addUsageCounter } from '../functions/usage-counter.ts';
import { type WatchedFunctions, watched } from '../functions/watched-function.ts';
import { addWebhookDelivery } from '../functions/webhook-delivery.ts';
import type { Settings } from '../settings.ts';
import type { DataStack } from './data-stack.ts';

/** The folders that scripts/build.mjs writes, as Lambda code. */
export interface Bundles {
  readonly gateway: lambda.Code;
  readonly adminApi: lambda.Code;
  readonly usageCounter: lambda.Code;
  readonly findingsExport: lambda.Code;
  readonly firstAdminKey: lambda.Code;
  readonly keyWatch: lambda.Code;
  readonly eventRelay: lambda.Code;
  readonly webhookDelivery: lambda.Code;
}

export interface GatewayStackProps extends StackProps {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly bundles: Bundles;
}

/** The functions and their addresses: nothing here holds state, so it can be deleted and deployed again at will. */
export class GatewayStack extends Stack {
  /** Every function by its name here, for who watches them. */
  readonly functions: WatchedFunctions;

  constructor(scope: Construct, id: string, props: GatewayStackProps) {
    super(scope, id, props);
    const { settings, data, bundles } = props;
    const gateway = addGateway(this, { settings, data, code: bundles.gateway });
    const adminApi = addAdminApi(this, { settings, data, code: bundles.adminApi });
    const usageCounter = addUsageCounter(this, { settings, data, code: bundles.usageCounter });
    const eventRelay = addEventRelay(this, { settings, data, code: bundles.eventRelay });
    const firstAdminKey = addFirstAdminKey(this, { settings, data, code: bundles.firstAdminKey });
    const keyWatch = addKeyWatch(this, { settings, data, code: bundles.keyWatch });
    const webhookDelivery = addWebhookDelivery(this, { settings, data, code: bundles.webhookDelivery });

    this.functions = {
      gateway: watched(gateway),
      adminApi: watched(adminApi),
      usageCounter: watched(usageCounter),
      eventRelay: watched(eventRelay),
      keyWatch: watched(keyWatch),
      webhookDelivery: watched(webhookDelivery),
    };
    if (settings.findings !== undefined && data.findingsQueue !== undefined) {
      const { findings } = settings;
      const { findingsQueue: queue } = data;
      const code = bundles.findingsExport;
      grantKey(data.encryptionKey, addFindingsExport(this, { settings, findings, queue, code }));
    }

    for (const grantee of [gateway, adminApi, usageCounter, eventRelay, firstAdminKey, keyWatch, webhookDelivery])
      grantKey(data.encryptionKey, grantee);

    new CfnOutput(this, 'BaseUrl', { description: 'base_url of an OpenAI client', value: `${gateway.url}v1` });
    new CfnOutput(this, 'AdminUrl', { description: 'The admin API is under /admin here', value: `${adminApi.url}v1` });
  }
}
