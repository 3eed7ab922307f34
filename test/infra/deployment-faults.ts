import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, SpecDatabase } from '@aws-cdk/service-spec-types';
import type { Template, TemplateResource } from './lint-templates.ts';
import type { Synthesized } from './synthesize.ts';

/** The stacks in the order in which the CDK deploys them: a stack reads outputs of those before it. */
const ORDER = ['data', 'edge', 'gateway', 'operations'] as const;
type StackKind = (typeof ORDER)[number];
type Stacks = Partial<Record<StackKind, Template>>;

/**
 * What would stop a deployment of `after` over a deployed `before`, a sentence each: references to outputs that do not exist when their
 * reader is deployed, exports, and physical names that are still taken when CloudFormation creates a resource with one.
 */
export function deploymentFaults(before: Synthesized, after: Synthesized): string[] {
  // A stack that the settings no longer need stays deployed.
  const deployed: Stacks = stacksOf(before);
  return ORDER.flatMap((kind) => {
    const [earlier, later] = [deployed[kind], stacksOf(after)[kind]];
    if (later === undefined) return [];
    const readable = ORDER.slice(0, ORDER.indexOf(kind));
    const faults = [
      ...unresolved(
        later,
        (stack, output) => readable.includes(stack) && deployed[stack]?.Outputs?.[output] !== undefined,
      ),
      ...Object.entries(later.Outputs ?? {}).flatMap(([id, { Export }]) => (Export ? [`exports ${id}`] : [])),
      ...(earlier === undefined ? [] : takenNames(earlier, later)),
    ];
    deployed[kind] = later;
    return faults.map((fault) => `${kind}: ${fault}`);
  });
}

function stacksOf({ data, edge, gateway, operations }: Synthesized): Stacks {
  return { data, gateway, operations, ...(edge && { edge }) };
}

function unresolved(template: Template, isThere: (stack: StackKind, output: string) => boolean): string[] {
  const faults = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (key === 'Fn::ImportValue') faults.add(`imports ${JSON.stringify(item)}`);
      if (key !== 'Fn::GetStackOutput') visit(item);
      else if (!isThere(item.StackName.split('-').at(-1), item.OutputName))
        faults.add(`reads ${item.OutputName} of ${item.StackName}, which is not there`);
    }
  };
  visit(template);
  return [...faults];
}

/** CloudFormation creates new and replacing resources before it deletes old ones, and leaves retained ones. */
function takenNames(before: Template, after: Template): string[] {
  const faults: string[] = [];
  for (const [id, old] of Object.entries(before.Resources)) {
    const name = fixedName(old);
    if (name === undefined) continue;
    const next = after.Resources[id];
    if (next === undefined || next.Type !== old.Type) {
      if (old.DeletionPolicy?.startsWith('Retain'))
        faults.push(`${id} is removed, but ${name} stays and cannot be created again`);
      for (const [other, added] of Object.entries(after.Resources)) {
        const isAdded = before.Resources[other] === undefined && added.Type === old.Type;
        if (isAdded && fixedName(added) === name)
          faults.push(`${other} takes the name ${name} of ${id}, which still exists`);
      }
    } else if (fixedName(next) === name) {
      const replaced = replacingChanges(old, next);
      if (replaced.length > 0)
        faults.push(`${id} is replaced by ${replaced.join(' and ')}, but keeps the name ${name}`);
    }
  }
  return faults;
}

/** The physical name that a template gives to a resource, with the resource that it is within, such as the function of an alias. */
function fixedName({ Type, Properties = {} }: TemplateResource): string | undefined {
  const resource = Type.split('::')[2] ?? '';
  const own = [Properties.Name, Properties[`${resource}Name`], Properties.LogGroupName, Properties.BucketName];
  const inConfig = Object.entries(Properties).flatMap(([key, value]) =>
    key === `${resource}Config` ? [(value as Record<string, unknown>).Name] : [],
  );
  const [name] = [...own, ...inConfig].filter((one) => one !== undefined);
  // A version's or a filter's name of its function or log group is a reference.
  if (name === undefined || (resource !== 'Dashboard' && typeof name === 'object' && !('Fn::Join' in (name as object))))
    return undefined;
  const within = Properties.FunctionName ?? Properties.Roles ?? '';
  return `${Type} ${JSON.stringify(name)} ${JSON.stringify(within)}`;
}

/** Takes 0.4 s to load, so once. */
let specification: SpecDatabase | undefined;

function replacingChanges(before: TemplateResource, after: TemplateResource): string[] {
  specification ??= loadAwsServiceSpecSync();
  const [described] = specification.lookup('resource', 'cloudFormationType', 'equals', before.Type);
  return Object.entries<Property>(described?.properties ?? {}).flatMap(([property, { causesReplacement = 'no' }]) => {
    const isSame = JSON.stringify(before.Properties?.[property]) === JSON.stringify(after.Properties?.[property]);
    return isSame || causesReplacement === 'no' ? [] : [property];
  });
}
