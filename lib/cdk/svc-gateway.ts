import path from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { checkSettings } from '../settings/settings.ts';
import { createServiceStacks } from '../stacks/create-service-stacks.ts';
import { builtBundles } from './built-bundles.ts';

/** Beside the bundle of this file, or from its source. */
const DIST = path.resolve(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../dist' : '..');

/** Settings of each stage that every stage needs. */
const DEFAULTS: ReadonlyMap<string | undefined, object> = new Map(Object.entries(cdkJson.context.stages));

/** The stage, and its settings as `cdk.json` has them. */
export interface SvcGatewayProps {
  readonly stage: string;
  /** For `compute: fargate`. */
  readonly image?: ContainerImage;
  readonly [setting: string]: unknown;
}

/** The stacks of one stage, in an app of yours. */
export class SvcGateway extends Construct {
  readonly data: Stack;
  readonly gateway: Stack;
  readonly operations: Stack;
  /** In us-east-1, if CloudFront needs resources there. */
  readonly edge: Stack | undefined;

  /** @throws Error that names all wrong settings */
  constructor(scope: Construct, id: string, { stage, image, ...given }: SvcGatewayProps) {
    super(scope, id);
    const settings = checkSettings(stage, { ...DEFAULTS.get(stage.split('/').at(-1)), ...given }, `SvcGateway ${id}`);
    if (settings.compute === 'fargate' && image === undefined)
      throw new Error(`SvcGateway ${id}: compute: fargate needs \`image\`, a container image of svc`);
    // The templates are those that svc tests, whatever the app's flags are.
    for (const [name, value] of Object.entries(cdkJson.context))
      if (name.startsWith('@')) this.node.setContext(name, value);
    const bundles = builtBundles(DIST, image ?? ContainerImage.fromRegistry('scratch'));
    const { data, gateway, operations, edge } = createServiceStacks(this, settings, bundles);
    this.data = data;
    this.gateway = gateway;
    this.operations = operations;
    this.edge = edge;
  }
}
