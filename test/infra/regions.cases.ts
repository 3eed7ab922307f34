import { describe, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import type { Template } from './lint-templates.ts';
import { FULL, type Synthesized, synthesize } from './synthesize.ts';

/** Types whose names are unique in an account, not in a region. */
const OF_THE_ACCOUNT = /^AWS::(?:CloudFront|IAM|S3|Route53)::|^AWS::CloudWatch::Dashboard$/;
/** Names within another resource, and domain names, which are unique by the setting `domain`. */
const NOT_GLOBAL = /^AWS::(?:IAM::Policy|Route53::RecordSet|S3::BucketPolicy)$/;
const NAME = /^(?:Name|.*(?<!Domain|Bucket|HeaderN)Name)$/;

const everywhere = (region: string): Settings => ({
  ...FULL,
  region,
  encryptionKeyArn: undefined,
  domain: { name: `${region}.example.com`, hostedZoneId: 'Z0123456789EXAMPLE', zoneName: 'example.com' },
  waf: { logs: true },
});

/** The names that the templates give to resources of the whole account, and to all of us-east-1, by their place. */
function globalNames({ data, gateway, operations, edge }: Synthesized, region: string): Map<string, string> {
  const names = new Map<string, string>();
  const collect = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (NAME.test(key) && key !== 'HeaderName') names.set(`${place}.${key}`, resolved(item, region));
      else if (/Config$|^Properties$/.test(key)) collect(item, `${place}.${key}`);
    }
  };
  for (const [stack, template] of Object.entries<Template | undefined>({ data, gateway, operations, edge })) {
    for (const [id, { Type, Properties }] of Object.entries(template?.Resources ?? {})) {
      const isGlobal = stack === 'edge' || OF_THE_ACCOUNT.test(Type);
      if (isGlobal && !NOT_GLOBAL.test(Type)) collect({ Properties }, `${stack}/${id}`);
    }
  }
  return names;
}

/** A name as CloudFormation would give it in a region. */
function resolved(name: unknown, region: string): string {
  if (typeof name === 'string') return name;
  const [[fn, argument] = []] = Object.entries(name as Record<string, unknown>);
  if (fn === 'Ref') return argument === 'AWS::Region' ? region : String(argument);
  if (fn === 'Fn::Join') return (argument as [string, unknown[]])[1].map((part) => resolved(part, region)).join('');
  return JSON.stringify(name);
}

describe('one stage in two regions of an account', () => {
  const regions = ['eu-central-1', 'us-west-2'] as const;
  const edges: (string | undefined)[] = [];
  const [first, second] = regions.map((region) =>
    globalNames(
      synthesize(everywhere(region), ({ edge }) => edges.push(edge?.stackName)),
      region,
    ),
  );

  test('has no physical name twice', () => {
    expect([...(first?.keys() ?? [])].some((place) => place.startsWith('edge/'))).toBe(true);
    expect(first?.size).toBeGreaterThanOrEqual(7);
    const taken = new Set(first?.values());
    expect([...(second ?? [])].filter(([, name]) => taken.has(name))).toEqual([]);
  });

  test('has no stack of us-east-1 twice', () => {
    expect(edges).toEqual(['svc-production-eu-central-1-edge', 'svc-production-us-west-2-edge']);
  });
});
