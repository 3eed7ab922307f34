import type { SpecDatabase } from '@aws-cdk/service-spec-types';
import { OUTDATED_TYPES } from './lint-properties.ts';
import type { Template } from './lint-templates.ts';

/**
 * Faults in `Ref`, `Fn::GetAtt`, `Fn::Sub`, `Fn::GetStackOutput`, `DependsOn` and in the names of intrinsic functions.
 * @param outputs the names of the outputs of all stacks
 */
export function referenceFaults(
  template: Template,
  specification: SpecDatabase,
  outputs: ReadonlySet<string>,
): string[] {
  const { Resources: resources, Parameters: parameters = {} } = template;
  const faults: string[] = [];

  const checkName = (name: unknown, place: string) => {
    const known = String(name) in resources || String(name) in parameters || String(name).startsWith('AWS::');
    if (!known) faults.push(`${place}: refers to ${name}, which does not exist`);
  };
  const checkAttribute = (id: unknown, attribute: unknown, place: string) => {
    const type = resources[String(id)]?.Type;
    if (type === undefined) return faults.push(`${place}: refers to ${id}, which is not a resource`);
    const [described] = specification.lookup('resource', 'cloudFormationType', 'equals', type);
    // What the specification does not know at all is reported with the properties.
    if (described === undefined || OUTDATED_TYPES.has(type) || String(attribute) in described.attributes) return;
    faults.push(`${place}: ${type} has no attribute ${attribute}`);
  };
  const checkSubstitutions = (argument: unknown, place: string) => {
    const [text, variables = {}] = Array.isArray(argument) ? argument : [argument];
    for (const [, name = ''] of String(text).matchAll(/\$\{([^!}][^}]*)\}/g)) {
      const [id, ...attribute] = name.split('.');
      if (name in variables) continue;
      if (attribute.length > 0) checkAttribute(id, attribute.join('.'), place);
      else checkName(name, place);
    }
  };
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (key === 'Ref') checkName(item, place);
      else if (key === 'Fn::GetAtt') checkAttribute(...attributeReference(item), place);
      else if (key === 'Fn::Sub') checkSubstitutions(item, place);
      else if (key === 'Fn::GetStackOutput') {
        const { OutputName } = item as { OutputName: string };
        if (!outputs.has(OutputName)) faults.push(`${place}: reads the output ${OutputName}, which no stack has`);
      } else if (key.startsWith('Fn::') && !FUNCTIONS.has(key)) faults.push(`${place}: unknown function ${key}`);
      visit(item, `${place}.${key}`);
    }
  };

  for (const [id, resource] of Object.entries(resources)) {
    visit(resource.Properties, id);
    for (const name of [resource.DependsOn ?? []].flat()) {
      if (!(name in resources)) faults.push(`${id}.DependsOn: refers to ${name}, which is not a resource`);
    }
  }
  for (const [id, output] of Object.entries(template.Outputs ?? {})) {
    // CloudFormation refuses to change or delete an export that another stack imports.
    if (output.Export !== undefined) faults.push(`Outputs.${id}: is exported`);
    visit(output, `Outputs.${id}`);
  }
  return faults;
}

const FUNCTIONS = new Set(
  [
    'And Base64 Cidr Contains Equals FindInMap ForEach GetAtt GetAZs GetStackOutput If Join Length Not Or',
    'Select Split Sub ToJsonString Transform',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => `Fn::${name}`),
);

/** `Fn::GetAtt` takes a list of two or one string with a dot. */
function attributeReference(argument: unknown): [id: unknown, attribute: unknown] {
  const [id, ...attribute] = Array.isArray(argument) ? argument : String(argument).split('.');
  return [id, attribute.join('.')];
}
