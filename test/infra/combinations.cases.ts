import { describe, expect, test } from '@jest/globals';
import { hasFunctionUrls, type Settings } from '../../lib/settings/settings.ts';
import { keptResources, lossesBetween } from './kept-resources.ts';
import { lintTemplates } from './lint-templates.ts';
import { permissionsByRole } from './permissions.ts';
import { AXES, combinations, nameOf } from './setting-combinations.ts';
import { PLAIN, synthesize, validate } from './synthesize.ts';

/**
 * Rights that are not on one resource, each with the reason that AWS gives for it. Nothing else may be granted on `*`, or on
 * names with a `*` in them.
 */
const WILDCARDS: readonly (readonly [right: RegExp, reason: string])[] = [
  [/^xray:Put(TraceSegments|TelemetryRecords) on \*$/, 'X-Ray knows no resources'],
  [/^dynamodb:ListStreams on \*$/, 'Lambda asks for it before it reads a stream; granted for all or none'],
  [/^cloudwatch:DescribeAlarms on \*$/, 'CodeDeploy polls alarms, which are told of all or none'],
  [/^ec2:\w+ on \* where .*lambda:SourceFunctionArn/, "by Lambda's own calls alone, which it refuses to limit further"],
  [/^bedrock:InvokeModel\w* on arn:[^ ]*:(foundation-model|inference-profile)\/[^ ]*/, 'by the setting `bedrock`'],
  [/^dynamodb:DescribeExport on Records\/export\/\*$/, 'the ids of exports are made by DynamoDB'],
  [/^s3:\w+ on RecordExportBucket\/records\/\*$/, "the export's files, whose names DynamoDB chooses"],
  [/^bedrock:InvokeGuardrailChecks on \*$/, 'the checks of Guardrails belong to no resource'],
  [/^sts:GetWebIdentityToken on \* where .*IdentityTokenAudience/, 'identity tokens belong to no resource'],
  [/^ecr:GetAuthorizationToken on \*$/, 'a registry has one token for all of its repositories'],
  [/^s3:(Put|Delete)Object on DistributionFiles\/\*$/, "the dashboard's files, which each build names anew"],
];

/** The property that names what is retained, by its type. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SQS::Queue': 'QueueName',
};

const rows = combinations();
const plain = keptResources(synthesize(PLAIN));
const usedReasons = new Set<string>();

describe.each(rows.map((settings) => [nameOf(settings), settings] as const))('%s', (_name, settings) => {
  const stacks = validate(settings);

  test('synthesizes; cdk-nag has no finding without a reason, and CloudFormation supports every property', () => {
    expect(stacks.error).toBeUndefined();
    expect(stacks.findings).toEqual([]);
    const { data, gateway, operations, edge } = stacks;
    expect(lintTemplates({ data, gateway, operations, ...(edge && { edge }) })).toEqual([]);
  });

  test('replaces and removes nothing of a deployment with plain settings', () => {
    const losses = lossesBetween(plain, keptResources(stacks));
    const closed = settings.compute === undefined ? undefined : /^gateway\/Gateway\w+ \(AWS::Lambda::Url\) is gone/;
    const isClosed = (loss: string) =>
      closed?.test(loss) || (/\(AWS::Lambda::Url\) is gone/.test(loss) && !hasFunctionUrls(settings));
    expect(losses.filter((loss) => !isClosed(loss))).toEqual([]);
  });

  test('retains nothing under a fixed name, which would refuse its next creation', () => {
    const { data, gateway, operations, edge } = stacks;
    const named = [data, gateway, operations, edge]
      .flatMap((template) => Object.entries(template?.Resources ?? {}))
      .filter(([, { Type, Properties, DeletionPolicy }]) => {
        const name = NAMED_BY[Type];
        return DeletionPolicy?.startsWith('Retain') && name !== undefined && Properties?.[name] !== undefined;
      });
    expect(named.map(([id]) => id)).toEqual([]);
  });

  test('grants nothing on more than one resource without a reason', () => {
    const broad = Object.values(permissionsByRole(stacks))
      .flat()
      .filter((right) => right.split(' where ')[0]?.includes('*'));
    const unreasoned = broad.filter((right) => {
      const found = WILDCARDS.find(([pattern]) => pattern.test(right));
      if (found !== undefined) usedReasons.add(found[1]);
      return found === undefined;
    });
    expect(unreasoned).toEqual([]);
  });
});

test('each reason for a permission on more than one resource is in use', () => {
  expect([...usedReasons].sort()).toEqual(WILDCARDS.map(([, reason]) => reason).sort());
});

test('every choice of every setting is in a row', () => {
  for (const [name, choices] of Object.entries(AXES)) {
    const taken = rows.map((settings) => JSON.stringify(settings[name as keyof Settings]));
    for (const choice of choices)
      expect([name, taken]).toEqual([name, expect.arrayContaining([JSON.stringify(choice)])]);
  }
});
