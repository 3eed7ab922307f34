import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/**
 * In five minutes from one address: 200 a second. Clients are servers, and all of a company may have the address of one NAT; their keys
 * have limits. It bounds floods without a valid key, of which 200 a second occupy a few environments for milliseconds each.
 */
const REQUESTS = 60_000;
/** Headers that contain keys. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'x-svc-api-key', 'cookie'];

/**
 * Rules of AWS's groups that only count: they match code, markup and addresses in prompts, sizes that prompts exceed, or programs that
 * send no user agent.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const COUNTED = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
  AWSManagedRulesCommonRuleSet: [
    'NoUserAgent_HEADER',
    'SizeRestrictions_QUERYSTRING',
    'SizeRestrictions_Cookie_HEADER',
    'SizeRestrictions_BODY',
    'SizeRestrictions_URIPATH',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'CrossSiteScripting_BODY',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export interface WebAclProps {
  /** CLOUDFRONT only in us-east-1. */
  readonly scope: 'CLOUDFRONT' | 'REGIONAL';
  /** Requests of one address in five minutes. Default: 60,000. */
  readonly rateLimit?: number | undefined;
  /** Retention of a log group for refused and counted requests; without it there is none. */
  readonly logRetentionDays?: logs.RetentionDays | undefined;
}

/** A web ACL that blocks addresses with too many requests, addresses that AWS knows as attackers, and known exploits. */
export class WebAcl extends Construct {
  readonly arn: string;
  readonly scope: WebAclProps['scope'];

  constructor(scope: Construct, id: string, props: WebAclProps) {
    super(scope, id);
    const acl = new wafv2.CfnWebACL(this, 'Acl', {
      scope: props.scope,
      description: 'Filters requests to svc.',
      defaultAction: { allow: {} },
      // The value of a dimension: two stages of an account have different ones.
      visibilityConfig: visibility(Stack.of(this).stackName),
      rules: [rateRule(props.rateLimit ?? REQUESTS), ...Object.keys(COUNTED).map(groupRule)],
    });
    this.arn = acl.attrArn;
    this.scope = props.scope;
    if (props.logRetentionDays !== undefined) this.log(acl, props.logRetentionDays);
  }

  /** Requests that any rule blocked: https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
  blockedRequests(): cloudwatch.Metric {
    const { stackName, region } = Stack.of(this);
    const isRegional = this.scope === 'REGIONAL';
    return new cloudwatch.Metric({
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensionsMap: { WebACL: stackName, Rule: 'ALL', ...(isRegional && { Region: region }) },
      statistic: 'Sum',
      region: isRegional ? region : 'us-east-1',
    });
  }

  private log(acl: wafv2.CfnWebACL, retention: logs.RetentionDays): void {
    const group = new logs.LogGroup(this, 'Logs', {
      // WAF requires this prefix.
      logGroupName: `aws-waf-logs-${Stack.of(this).stackName}-${this.node.id.toLowerCase()}`,
      retention,
      // Retained, its fixed name would refuse the next creation: logs added again, or a rollback.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const arn = Stack.of(this).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: group.logGroupName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    new wafv2.CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [arn],
      redactedFields: [...KEY_HEADERS.map((Name) => ({ singleHeader: { Name } })), { queryString: {} }],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'].map((Action) => ({ ActionCondition: { Action } })),
          },
        ],
      },
    });
  }
}

function rateRule(limit: number): wafv2.CfnWebACL.RuleProperty {
  return {
    name: 'RateByAddress',
    priority: 0,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 } },
    visibilityConfig: visibility('RateByAddress'),
  };
}

function groupRule(name: string, at: number): wafv2.CfnWebACL.RuleProperty {
  const counted: readonly string[] = COUNTED[name as keyof typeof COUNTED];
  return {
    name,
    priority: at + 1,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: visibility(name),
  };
}

/** No request samples: they would show keys in the console. */
function visibility(metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName };
}
