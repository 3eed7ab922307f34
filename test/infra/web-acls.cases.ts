import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { all, rest } from './front-door-stacks.ts';

describe('the web ACLs', () => {
  const acls = [all.edge, all.gateway, rest.gateway].map((template) =>
    Object.values(template?.Resources ?? {}).filter(({ Type }) => Type === 'AWS::WAFv2::WebACL'),
  );
  interface Rule {
    readonly Priority: number;
    readonly Statement: {
      readonly ManagedRuleGroupStatement?: {
        readonly Name: string;
        readonly RuleActionOverrides: readonly { readonly Name: string; readonly ActionToUse: object }[];
      };
    };
  }
  const rulesOf = ([acl]: (typeof acls)[number]) => acl?.Properties?.Rules as Rule[];

  test('protect the distribution and the REST API, each in its required region', () => {
    expect(acls.map(([acl]) => acl?.Properties?.Scope)).toEqual(['CLOUDFRONT', 'REGIONAL', 'REGIONAL']);
    Template.fromJSON(all.gateway).hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { WebACLId: { 'Fn::GetStackOutput': { Region: 'us-east-1', OutputName: 'WebAclArn' } } },
    });
    for (const { gateway } of [all, rest]) {
      Template.fromJSON(gateway).hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
        ResourceArn: { 'Fn::Join': ['', Match.arrayWith(['/stages/'])] },
      });
    }
    // Without a distribution nothing is needed in us-east-1.
    expect(rest.edge).toBeUndefined();
  });

  test('have one rule of each priority, the rate first', () => {
    for (const acl of acls) {
      const priorities = rulesOf(acl).map(({ Priority }) => Priority);
      expect(priorities).toEqual(priorities.map((_, at) => at));
      expect(rulesOf(acl)[0]?.Statement).toHaveProperty('RateBasedStatement');
    }
  });

  test('refuse clients above the rate', () => {
    expect(acls.map((acl) => rulesOf(acl)[0])).toMatchObject(
      [500, 500, 60_000].map((Limit) => ({
        Action: { Block: {} },
        Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit, EvaluationWindowSec: 300 } },
      })),
    );
  });

  test('only count rules for bodies and sizes, because prompts are long and contain code', () => {
    for (const acl of acls) {
      const groups = rulesOf(acl).flatMap(({ Statement: { ManagedRuleGroupStatement: group } }) =>
        group === undefined
          ? []
          : [
              [
                group.Name,
                group.RuleActionOverrides.filter(({ ActionToUse }) => 'Count' in ActionToUse).map(({ Name }) => Name),
              ],
            ],
      );
      expect(Object.fromEntries(groups)).toEqual({
        AWSManagedRulesAmazonIpReputationList: [],
        AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
        AWSManagedRulesCommonRuleSet: [
          'NoUserAgent_HEADER',
          ...['QUERYSTRING', 'Cookie_HEADER', 'BODY', 'URIPATH'].map((what) => `SizeRestrictions_${what}`),
          ...['EC2MetaDataSSRF', 'GenericLFI', 'GenericRFI', 'CrossSiteScripting'].map((what) => `${what}_BODY`),
        ],
      });
    }
  });

  test('expose no key, neither in logs nor in samples', () => {
    const logging = [all.edge, all.gateway].map(
      (template) =>
        Object.values(template?.Resources ?? {}).find(({ Type }) => Type === 'AWS::WAFv2::LoggingConfiguration')
          ?.Properties,
    );
    for (const properties of logging) {
      expect(properties?.RedactedFields).toEqual([
        ...['authorization', 'x-api-key', 'x-goog-api-key', 'x-svc-api-key', 'cookie'].map((Name) => ({
          SingleHeader: { Name },
        })),
        { QueryString: {} },
      ]);
    }
    for (const template of [all.edge, all.gateway]) {
      Template.fromJSON(template as object).hasResourceProperties('AWS::Logs::LogGroup', {
        LogGroupName: Match.stringLikeRegexp('^aws-waf-logs-'),
        RetentionInDays: 7,
      });
    }
    expect(JSON.stringify(acls)).not.toContain('"SampledRequestsEnabled":true');
    Template.fromJSON(rest.gateway).resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
  });
});
