import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, SpecDatabase } from '@aws-cdk/service-spec-types';
import type { Template, TemplateResource } from './lint-templates.ts';

/** Resources of a release that an upgrade must neither replace nor remove, by template and logical id. */
export type KeptResources = Readonly<Record<string, Readonly<Record<string, TemplateResource>>>>;

/** What holds no state, but whose address clients hold: a new one is unknown to them. */
const ADDRESSES = ['AWS::Lambda::Url', 'AWS::CloudFront::Distribution', 'AWS::ApiGateway::RestApi'];
/** Stateful by the specification; a log group that is made anew loses nothing that anything reads. */
const FORGOTTEN = ['AWS::Logs::LogGroup'];
/** CloudFormation refuses more than one index that is made or deleted in one update of a table. */
const INDEXES_AN_UPDATE = 1;

/** Properties of a secret that are its value, or make a new one. */
const OVERWRITING = ['SecretString', 'GenerateSecretString'];

let specification: SpecDatabase | undefined;

function described(type: string) {
  specification ??= loadAwsServiceSpecSync();
  return specification.lookup('resource', 'cloudFormationType', 'equals', type)[0];
}

/** What of the templates must outlive an upgrade, as they have it. */
export function keptResources({
  data,
  gateway,
}: {
  readonly data: Template;
  readonly gateway: Template;
}): KeptResources {
  const isKept = ({ Type }: TemplateResource) =>
    ADDRESSES.includes(Type) || (described(Type)?.isStateful === true && !FORGOTTEN.includes(Type));
  return Object.fromEntries(
    Object.entries({ data, gateway }).map(([name, { Resources }]) => {
      const kept = Object.entries(Resources).filter(([, resource]) => isKept(resource));
      return [
        name,
        Object.fromEntries(kept.map(([id, { Type, Properties }]) => [id, { Type, ...(Properties && { Properties }) }])),
      ];
    }),
  );
}

/**
 * What an upgrade from one release to another would lose, a sentence each: resources that are gone or renamed, properties
 * whose change makes CloudFormation put an empty one in its place, and updates of tables that it refuses.
 */
export function lossesBetween(earlier: KeptResources, later: KeptResources): string[] {
  return Object.entries(earlier).flatMap(([name, resources]) =>
    Object.entries(resources).flatMap(([id, before]) => {
      const after = later[name]?.[id];
      const place = `${name}/${id} (${before.Type})`;
      if (after === undefined) return [`${place} is gone: ${goneMeans(before.Type)}`];
      if (after.Type !== before.Type) return [`${place} is a ${after.Type} now: ${goneMeans(before.Type)}`];
      return [...replacements(before, after, place), ...refusedIndexes(before, after, place)];
    }),
  );
}

function goneMeans(type: string): string {
  return ADDRESSES.includes(type)
    ? 'its address answers no more, and clients that hold it find nothing'
    : 'an upgrade would leave what it holds behind, unused, and start with an empty one';
}

function replacements(before: TemplateResource, after: TemplateResource, place: string): string[] {
  const changed = Object.entries<Property>(described(before.Type)?.properties ?? {}).filter(
    ([property]) => JSON.stringify(before.Properties?.[property]) !== JSON.stringify(after.Properties?.[property]),
  );
  return changed.flatMap(([property, { causesReplacement = 'no' }]) => {
    if (causesReplacement !== 'no')
      return [`${place}.${property} changed, which replaces it: ${goneMeans(before.Type)}`];
    return OVERWRITING.includes(property) ? [`${place}.${property} changed, which overwrites the secret in use`] : [];
  });
}

function refusedIndexes(before: TemplateResource, after: TemplateResource, place: string): string[] {
  const [earlier, later] = [before, after].map(indexesOf) as [Map<string, string>, Map<string, string>];
  const others = (of: Map<string, string>, than: Map<string, string>) =>
    [...of.keys()].filter((index) => !than.has(index));
  const rekeyed = [...earlier].filter(([index, keys]) => later.has(index) && later.get(index) !== keys);
  const moved = [...others(earlier, later), ...others(later, earlier)];
  return [
    ...rekeyed.map(([index]) => `${place}: the index ${index} has other keys; give the new one another name`),
    ...(moved.length > INDEXES_AN_UPDATE
      ? [`${place}: CloudFormation makes or deletes one index an update, and these are ${moved.join(', ')}`]
      : []),
  ];
}

/** Keys and projection by the name of the index. */
function indexesOf({ Properties }: TemplateResource): Map<string, string> {
  const indexes = (Properties?.GlobalSecondaryIndexes ?? []) as { IndexName: string }[];
  return new Map(indexes.map(({ IndexName, ...rest }) => [IndexName, JSON.stringify(rest)]));
}
