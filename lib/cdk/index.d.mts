import type { Stack } from 'aws-cdk-lib';
import type { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';

export interface SvcGatewayProps {
  /** `Production`, `Staging` or `Development`; with a prefix for another gateway of the account: `payments/Production`. */
  readonly stage: string;
  /** A container image of svc, for `compute: fargate`. */
  readonly image?: ContainerImage;
  /** The other settings of a stage, as `cdk.json` has them: docs/reference/settings.md. Wrong ones are an error. */
  readonly [setting: string]: unknown;
}

/** The stacks of one stage of svc, in an app of yours. */
export class SvcGateway extends Construct {
  /** Tables, queues and secrets. */
  readonly data: Stack;
  /** Functions and front doors. Its outputs are those of `npm run deploy`. */
  readonly gateway: Stack;
  /** Alarms and a dashboard. */
  readonly operations: Stack;
  /** In us-east-1, if CloudFront needs resources there. */
  readonly edge: Stack | undefined;
  constructor(scope: Construct, id: string, props: SvcGatewayProps);
}
