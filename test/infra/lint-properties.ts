import type { PropertyType, ResourceProperties, SpecDatabase } from '@aws-cdk/service-spec-types';
import type { Template } from './lint-templates.ts';

/** Types that CDK's construct writes, but that aws-service-spec 0.1.216 does not know yet. A test fails once it does. */
export const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  'AWS::Lambda::WebFunction',
  'AWS::Lambda::WebFunctionEndpoint',
  'AWS::Lambda::WebFunctionRevision',
]);

/** Types of which aws-service-spec 0.1.216 knows an earlier form, without Web Functions. A test fails once it knows them. */
export const OUTDATED_TYPES: ReadonlySet<string> = new Set(['AWS::Lambda::NetworkConnector']);

/** Faults in the resources' types and properties. A value that an intrinsic function gives is taken as right. */
export function propertyFaults(template: Template, specification: SpecDatabase): string[] {
  return Object.entries(template.Resources).flatMap(([id, resource]) => {
    if (OUTDATED_TYPES.has(resource.Type)) return [];
    const [described] = specification.lookup('resource', 'cloudFormationType', 'equals', resource.Type);
    if (described !== undefined)
      return objectFaults(described.properties, resource.Properties ?? {}, id, specification);
    return resource.Type.startsWith('Custom::') || UNKNOWN_TYPES.has(resource.Type)
      ? []
      : [`${id}: unknown type ${resource.Type}`];
  });
}

function objectFaults(
  properties: ResourceProperties,
  value: unknown,
  place: string,
  specification: SpecDatabase,
): string[] {
  if (!isObject(value)) return [`${place}: expected an object`];
  const missing = Object.entries(properties)
    .filter(([name, property]) => property.required === true && value[name] === undefined)
    .map(([name]) => `${place}.${name}: required`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const property = properties[name];
    if (property === undefined) return [`${place}.${name}: unknown property`];
    return valueFaults(property.type, item, `${place}.${name}`, specification);
  });
  return [...missing, ...wrong];
}

function valueFaults(type: PropertyType, value: unknown, place: string, specification: SpecDatabase): string[] {
  if (isIntrinsic(value)) return [];
  const expected = (right: boolean) => (right ? [] : [`${place}: expected ${type.type}, not ${JSON.stringify(value)}`]);
  switch (type.type) {
    case 'string':
      return isPrimitive(value) ? enumerationFaults(type.allowedValues, value, place) : expected(false);
    case 'integer':
      return /^-?\d+$/.test(String(value)) ? enumerationFaults(type.allowedValues, value, place) : expected(false);
    case 'number':
      return expected(isPrimitive(value) && value !== '' && Number.isFinite(Number(value)));
    case 'boolean':
      return expected(['true', 'false'].includes(String(value)));
    case 'date-time':
      return expected(typeof value === 'string');
    case 'json':
      return expected(isObject(value) || typeof value === 'string');
    case 'tag':
      return expected(isObject(value) && value.Key !== undefined && value.Value !== undefined);
    case 'array':
      if (!Array.isArray(value)) return expected(false);
      return value.flatMap((item, index) => valueFaults(type.element, item, `${place}[${index}]`, specification));
    case 'map':
      if (!isObject(value)) return expected(false);
      return Object.entries(value).flatMap(([key, item]) =>
        valueFaults(type.element, item, `${place}.${key}`, specification),
      );
    case 'ref':
      return objectFaults(
        specification.get('typeDefinition', type.reference.$ref).properties,
        value,
        place,
        specification,
      );
    case 'union':
      return expected(type.types.some((one) => valueFaults(one, value, place, specification).length === 0));
    default:
      return [];
  }
}

function enumerationFaults(allowed: readonly unknown[] | undefined, value: unknown, place: string): string[] {
  if (allowed === undefined || allowed.map(String).includes(String(value))) return [];
  return [`${place}: ${JSON.stringify(value)} is not one of ${allowed.join(', ')}`];
}

function isIntrinsic(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [name, ...others] = Object.keys(value);
  return name !== undefined && others.length === 0 && /^(Ref|Fn::\w+)$/.test(name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPrimitive(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
