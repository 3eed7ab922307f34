import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type StackResourceSummary,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { Settings } from '../../lib/settings/settings.ts';
import { EDGE_REGION } from '../../lib/stacks/edge-stack.ts';
import type { Template } from '../infra/lint-templates.ts';
import { synthesize } from '../infra/synthesize.ts';

/** In the order of `cdk deploy`. */
export const STACKS = ['data', 'edge', 'gateway', 'operations'] as const;
export type StackName = (typeof STACKS)[number];
/** Of moto. */
export const ACCOUNT = '123456789012';
const DEFAULT_REGION = 'eu-central-1';
const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

interface Deployed {
  readonly region: string;
  /** As synthesized. */
  readonly template: Template;
  readonly outputs: Readonly<Record<string, string>>;
}

export function accessTo(endpoint: string, region: string) {
  return {
    ...{ endpoint, region, forcePathStyle: true, maxAttempts: 1 },
    credentials: { accessKeyId: 'moto', secretAccessKey: 'moto' },
  };
}

/** The stacks of one stage on moto. It resolves references between stacks as CloudFormation would, because moto forgets exports on updates. */
export class Deployment {
  private readonly url: string;
  private readonly deployed = new Map<string, Deployed>();
  private readonly prepared = new Set<string>();

  constructor(url: string) {
    this.url = url;
  }

  /** Creates or updates the stacks of these settings in CDK's order, and deletes an edge stack that they no longer have. */
  async deploy(
    settings: Settings,
    templates: Partial<Record<StackName, Template>> = synthesize(settings),
  ): Promise<void> {
    for (const stack of STACKS) {
      const template = templates[stack];
      if (template !== undefined) await this.put(settings, stack, template);
    }
    const edge = nameOf(settings, 'edge');
    if (templates.edge === undefined && this.deployed.has(edge)) await this.delete(settings, 'edge');
  }

  /** Creates or updates one stack. @throws if CloudFormation would refuse its references, or moto its resources */
  async put(settings: Settings, stack: StackName, template: Template): Promise<void> {
    const name = nameOf(settings, stack);
    const region = stack === 'edge' ? EDGE_REGION : regionOf(settings);
    this.checkExportsInUse(name, template);
    const resolved = this.resolve(template, region) as Template;
    await this.prepare(region, resolved);
    const client = new CloudFormationClient(accessTo(this.url, region));
    const call = { StackName: name, TemplateBody: JSON.stringify(withoutExports(resolved)) };
    const isNew = !this.deployed.has(name);
    await (isNew ? client.send(new CreateStackCommand(call)) : client.send(new UpdateStackCommand(call)));
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    const outputs = (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
    this.deployed.set(name, { region, template, outputs: Object.fromEntries(outputs) });
  }

  /** Also deletes what a failed creation left: CloudFormation's rollback, which moto lacks, and CDK's delete of such a stack. */
  async delete(settings: Settings, stack: StackName): Promise<void> {
    const StackName = nameOf(settings, stack);
    const region = stack === 'edge' ? EDGE_REGION : regionOf(settings);
    await new CloudFormationClient(accessTo(this.url, region)).send(new DeleteStackCommand({ StackName }));
    this.deployed.delete(StackName);
  }

  async resources(settings: Settings, stack: StackName): Promise<StackResourceSummary[]> {
    const StackName = nameOf(settings, stack);
    const region = stack === 'edge' ? EDGE_REGION : regionOf(settings);
    const client = new CloudFormationClient(accessTo(this.url, region));
    const { StackResourceSummaries } = await client.send(new ListStackResourcesCommand({ StackName }));
    return StackResourceSummaries ?? [];
  }

  outputs(settings: Settings, stack: StackName): Readonly<Record<string, string>> {
    return this.deployed.get(nameOf(settings, stack))?.outputs ?? {};
  }

  /** Replaces what reads outputs of other stacks: Fn::ImportValue and Fn::GetStackOutput. */
  private resolve(value: unknown, region: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.resolve(one, region));
    if (typeof value !== 'object' || value === null) return value;
    if ('Fn::ImportValue' in value) return this.exported(String(value['Fn::ImportValue']), region);
    if ('Fn::GetStackOutput' in value) {
      const { StackName, OutputName } = value['Fn::GetStackOutput'] as Record<string, string>;
      const found = this.deployed.get(StackName ?? '')?.outputs[OutputName ?? ''];
      if (found === undefined) throw new Error(`the stack ${StackName} has no output ${OutputName}`);
      return found;
    }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.resolve(one, region)]));
  }

  private exported(name: string, region: string): string {
    for (const stack of this.deployed.values()) {
      if (stack.region !== region) continue;
      const [key] = Object.entries(stack.template.Outputs ?? {}).find(([, { Export }]) => Export?.Name === name) ?? [];
      if (key !== undefined && stack.outputs[key] !== undefined) return stack.outputs[key];
    }
    throw new Error(`no stack exports ${name}`);
  }

  /** CloudFormation refuses an update that removes an export which a deployed stack imports. */
  private checkExportsInUse(name: string, next: Template): void {
    const before = exportsOf(this.deployed.get(name)?.template);
    const removed = before.filter((one) => !exportsOf(next).includes(one));
    for (const [importer, { template }] of this.deployed) {
      const text = JSON.stringify(template);
      const used = removed.find((one) => text.includes(JSON.stringify({ 'Fn::ImportValue': one })));
      if (used !== undefined) throw new Error(`the export ${used} is in use by ${importer}`);
    }
  }

  /** What `cdk bootstrap` and CDK's upload leave: the version, the bucket and the code of the functions. */
  private async prepare(region: string, template: Template): Promise<void> {
    const s3 = new S3Client(accessTo(this.url, region));
    const Bucket = `cdk-hnb659fds-assets-${ACCOUNT}-${region}`;
    if (!this.prepared.has(region)) {
      const ssm = new SSMClient(accessTo(this.url, region));
      await ssm.send(
        new PutParameterCommand({
          Name: '/cdk-bootstrap/hnb659fds/version',
          Value: '30',
          Type: 'String',
          Overwrite: true,
        }),
      );
      const CreateBucketConfiguration = { LocationConstraint: region as never };
      await s3.send(new CreateBucketCommand({ Bucket, ...(region !== 'us-east-1' && { CreateBucketConfiguration }) }));
      this.prepared.add(region);
    }
    for (const [Key] of new Set(
      JSON.stringify(template)
        .match(/[0-9a-f]{64}\.zip/g)
        ?.map((key) => [key]),
    )) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: EMPTY_ZIP }));
    }
  }
}

export function regionOf(settings: Settings): string {
  return settings.region ?? DEFAULT_REGION;
}

function nameOf(settings: Settings, stack: StackName): string {
  const region = stack === 'edge' ? [settings.region] : [];
  return ['svc', settings.stage.toLowerCase(), ...region, stack].join('-');
}

function exportsOf(template: Template | undefined): string[] {
  return Object.values(template?.Outputs ?? {}).flatMap(({ Export }) =>
    Export === undefined ? [] : [String(Export.Name)],
  );
}

/** moto creates resources for the exports before it creates the stack. */
function withoutExports(template: Template): Template {
  const outputs = Object.entries(template.Outputs ?? {}).map(([key, { Export: _, ...output }]) => [key, output]);
  return { ...template, Outputs: Object.fromEntries(outputs) };
}
