import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { SYNTHETIC_CHECK_KEY_ID } from '../../functions/synthetic-check/env.ts';

/** Filters of a Contributor Insights rule: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-RuleSyntax.html */
const REQUESTS = { Match: '$.message', In: ['request'] };
const RULES = {
  AttackedKeys: {
    keys: ['$.keyId'],
    filters: [
      REQUESTS,
      { Match: '$.action', In: ['flag', 'redact', 'ask', 'block'] },
      { Match: '$.keyId', NotIn: [SYNTHETIC_CHECK_KEY_ID] },
    ],
  },
  LimitedKeys: { keys: ['$.keyId', '$.limited'], filters: [REQUESTS, { Match: '$.limited', IsPresent: true }] },
} as const;

/** Saved queries, which are billed when someone runs them. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'Errors of the gateway': [
    'fields @timestamp, message, requestId, traceId, route, provider, errorCode, internal',
    "filter level = 'ERROR'",
    'sort @timestamp desc',
    'limit 20',
  ],
  'Requests without a valid key': [
    "filter message = 'request' and status = 401",
    'stats count(*) as refused by bin(1h), route',
    'sort refused desc',
    'limit 20',
  ],
  'Keys with the highest cost': [
    "filter message = 'request' and ispresent(costUsd)",
    'stats sum(costUsd) as usd, sum(usage.inputTokens) as input, sum(usage.outputTokens) as output, count(*) as requests by keyId',
    'sort usd desc',
    'limit 20',
  ],
};

/** Rules that count the gateway's log lines by key as they arrive, and saved queries for the rest. */
export class LogInsights extends Construct {
  private readonly rules: Readonly<Record<keyof typeof RULES, string>>;

  constructor(scope: Construct, id: string, { logGroup }: { readonly logGroup: logs.ILogGroup }) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const create = (name: keyof typeof RULES) => this.addRule(name, `${stackName}-${name}`, logGroup);
    this.rules = { AttackedKeys: create('AttackedKeys'), LimitedKeys: create('LimitedKeys') };
    for (const [name, lines] of Object.entries(QUERIES)) {
      new logs.CfnQueryDefinition(this, name.replaceAll(' ', ''), {
        name: `${stackName}/${name}`,
        logGroupNames: [logGroup.logGroupName],
        queryString: lines.join('\n| '),
      });
    }
  }

  /** The ten strongest contributors of a rule. */
  widget(rule: keyof typeof RULES, title: string, width: number): cloudwatch.IWidget {
    return new InsightRuleWidget(this.rules[rule], Stack.of(this).region, title, width);
  }

  private addRule(id: keyof typeof RULES, ruleName: string, { logGroupName }: logs.ILogGroup): string {
    const { keys, filters } = RULES[id];
    new cloudwatch.CfnInsightRule(this, id, {
      ruleName,
      ruleState: 'ENABLED',
      ruleBody: Stack.of(this).toJsonString({
        Schema: { Name: 'CloudWatchLogRule', Version: 1 },
        LogGroupNames: [logGroupName],
        LogFormat: 'JSON',
        Contribution: { Keys: keys, Filters: filters },
        AggregateOn: 'Count',
      }),
    });
    return ruleName;
  }
}

/** CDK has no widget for Contributor Insights. */
class InsightRuleWidget extends cloudwatch.ConcreteWidget {
  private readonly ruleName: string;
  private readonly region: string;
  private readonly title: string;

  constructor(ruleName: string, region: string, title: string, width: number) {
    super(width, 6);
    this.ruleName = ruleName;
    this.region = region;
    this.title = title;
  }

  toJson(): unknown[] {
    const { ruleName, region, title, width, height, x, y } = this;
    const properties = {
      insightRule: { maxContributorCount: 10, orderBy: 'Sum', ruleName },
      view: 'timeSeries',
      stacked: true,
      legend: { position: 'right' },
      period: 300,
      region,
      title,
    };
    return [{ type: 'metric', width, height, x, y, properties }];
  }
}
