import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Five minutes' worth of requests of one address: ten a second. Offices share an address. */
const REQUESTS = 3_000;
/** Headers that hold a key, and queries, in which one may stand by mistake. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'x-svc-api-key', 'cookie'];

/**
 * Rules of AWS's groups that only count: they read bodies, in which prompts hold code, markup and addresses, or bound sizes, which
 * prompts exceed. https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const COUNTED = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
  AWSManagedRulesCommonRuleSet: [
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
  /** CLOUDFRONT exists in us-east-1 alone. */
  readonly scope: 'CLOUDFRONT' | 'REGIONAL';
  /** Requests of one address in five minutes: 3,000 where absent. */
  readonly rateLimit?: number | undefined;
  /** What was refused or counted goes to a log group; not where absent. */
  readonly logRetentionDays?: logs.RetentionDays | undefined;
}

/** Who may come as far as our own checks: not those who ask too often, whom AWS knows as attackers, or who try known exploits. */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: WebAclProps) {
    super(scope, id);
    const acl = new wafv2.CfnWebACL(this, 'Acl', {
      scope: props.scope,
      description: 'Requests before they reach svc.',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('svc'),
      rules: [rateRule(props.rateLimit ?? REQUESTS), ...Object.keys(COUNTED).map(groupRule)],
    });
    this.arn = acl.attrArn;
    if (props.logRetentionDays !== undefined) this.log(acl, props.logRetentionDays);
  }

  private log(acl: wafv2.CfnWebACL, retention: logs.RetentionDays): void {
    const group = new logs.LogGroup(this, 'Logs', {
      // WAF writes to no group of another name.
      logGroupName: `aws-waf-logs-${Stack.of(this).stackName}-${this.node.id.toLowerCase()}`,
      retention,
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

/** Metrics, and no samples of requests: they would show headers with keys to whoever may open the console. */
function visibility(metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName };
}
