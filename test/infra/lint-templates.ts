import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { SpecDatabase } from '@aws-cdk/service-spec-types';
import { propertyFaults } from './lint-properties.ts';
import { referenceFaults } from './lint-references.ts';

/** The parts of a CloudFormation template that the linter reads. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
}

/** Takes 0.4 s to load, so once. */
let specification: SpecDatabase | undefined;

/**
 * What CloudFormation would refuse in templates that are deployed together, known without an account: unknown types and
 * properties, missing and mistyped ones, values outside an enumeration, references that lead nowhere, and exports, which block later changes. One
 * sentence a fault, starting with its place. The source is AWS's resource specification.
 */
export function lintTemplates(templates: Readonly<Record<string, Template>>): string[] {
  specification ??= loadAwsServiceSpecSync();
  const known = specification;
  const outputs = new Set(Object.values(templates).flatMap((template) => Object.keys(template.Outputs ?? {})));
  return Object.entries(templates).flatMap(([name, template]) => {
    const faults = [...propertyFaults(template, known), ...referenceFaults(template, known, outputs)];
    return faults.map((fault) => `${name}: ${fault}`);
  });
}
