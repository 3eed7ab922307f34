import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, test } from '@jest/globals';
import { OUTDATED_TYPES, UNKNOWN_TYPES } from './lint-properties.ts';
import { lintTemplates, type Template } from './lint-templates.ts';

const role = { 'Fn::GetAtt': ['Role', 'Arn'] };
const properties = { Code: { S3Bucket: 'b', S3Key: 'k' }, Role: role, Runtime: 'nodejs24.x', Timeout: 900 };

/** A template that is right, with the function's properties and more resources changed as given. */
function template(changed: Record<string, unknown> = {}, resources: Template['Resources'] = {}): Template {
  return {
    Resources: {
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } },
      Function: { Type: 'AWS::Lambda::Function', Properties: { ...properties, ...changed } },
      ...resources,
    },
    Outputs: { FunctionArn: { Value: { 'Fn::GetAtt': ['Function', 'Arn'] } } },
  };
}

/** As JSON, where what is undefined is absent. */
const lint = (one: Template) => lintTemplates({ stack: JSON.parse(JSON.stringify(one)) });

test('a valid template has no faults', () => {
  expect(lint(template())).toEqual([]);
});

describe('a seeded fault is reported with its place', () => {
  test.each<[name: string, faulty: Template, fault: string]>([
    ['unknown type', template({}, { X: { Type: 'AWS::Lambda::Funktion' } }), 'X: unknown type AWS::Lambda::Funktion'],
    ['unknown property', template({ Memory: 1 }), 'Function.Memory: unknown property'],
    ['unknown nested property', template({ Code: { Bucket: 'b' } }), 'Function.Code.Bucket: unknown property'],
    ['missing property', template({ Code: undefined }), 'Function.Code: required'],
    ['wrong type', template({ Timeout: 'long' }), 'Function.Timeout: expected integer, not "long"'],
    ['a fraction for an integer', template({ Timeout: 1.5 }), 'Function.Timeout: expected integer, not 1.5'],
    ['one item for a list', template({ Layers: 'arn' }), 'Function.Layers: expected array, not "arn"'],
    [
      'outside the enumeration',
      template({ TracingConfig: { Mode: 'On' } }),
      'Function.TracingConfig.Mode: "On" is not one of Active, PassThrough',
    ],
    ['Ref to nothing', template({ Role: { Ref: 'Roll' } }), 'Function.Role: refers to Roll, which does not exist'],
    [
      'GetAtt of nothing',
      template({ Role: { 'Fn::GetAtt': ['Roll', 'Arn'] } }),
      'Function.Role: refers to Roll, which is not a resource',
    ],
    [
      'GetAtt of an unknown attribute',
      template({ Role: { 'Fn::GetAtt': 'Role.Arm' } }),
      'Function.Role: AWS::IAM::Role has no attribute Arm',
    ],
    [
      'Sub of nothing',
      template({ Role: { 'Fn::Sub': `x-\${Roll}` } }),
      'Function.Role: refers to Roll, which does not exist',
    ],
    ['unknown function', template({ Role: { 'Fn::Joyn': [] } }), 'Function.Role: unknown function Fn::Joyn'],
    [
      'output of nothing',
      template({ Role: { 'Fn::GetStackOutput': { StackName: 'other', OutputName: 'RoleArn' } } }),
      'Function.Role: reads the output RoleArn, which no stack has',
    ],
    [
      'DependsOn nothing',
      template({}, { X: { Type: 'AWS::SQS::Queue', DependsOn: ['Roll'] } }),
      'X.DependsOn: refers to Roll, which is not a resource',
    ],
  ])('%s', (_name, faulty, fault) => {
    expect(lint(faulty)).toEqual([`stack: ${fault}`]);
  });
});

test("a reference to another stack's output is valid", () => {
  const reading = template({ Role: { 'Fn::GetStackOutput': { StackName: 'first', OutputName: 'FunctionArn' } } });
  expect(lintTemplates({ first: template(), second: reading })).toEqual([]);
});

test('the types that the specification does not know are still unknown', () => {
  const known = loadAwsServiceSpecSync();
  const found = [...UNKNOWN_TYPES].filter(
    (type) => known.lookup('resource', 'cloudFormationType', 'equals', type).length > 0,
  );
  expect(found).toEqual([]);
});

test('the types of which the specification knows an earlier form still have that', () => {
  const known = loadAwsServiceSpecSync();
  const current = [...OUTDATED_TYPES].filter((type) =>
    known
      .lookup('resource', 'cloudFormationType', 'equals', type)
      .some(({ attributes }) => 'LatestVersionArn' in attributes),
  );
  expect(current).toEqual([]);
});

test('an export is a fault, since it blocks later changes', () => {
  const exporting = { ...template(), Outputs: { Arn: { Value: 'arn', Export: { Name: 'arn' } } } };
  expect(lintTemplates({ stack: exporting })).toEqual(['stack: Outputs.Arn: is exported']);
});
