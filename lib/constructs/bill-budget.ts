import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type * as sns from 'aws-cdk-lib/aws-sns';

/** The service that sends a budget's warnings: https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html */
export const BUDGETS = 'budgets.amazonaws.com';

/**
 * Adds a budget of the account's whole AWS bill of a month, with warnings once the forecast and once the bill exceed it. An alarm could not watch
 * it: CloudWatch has the bill in us-east-1 only.
 */
export function addBillBudget(stack: Stack, usd: number, topic: sns.ITopic): void {
  const warning = (notificationType: 'ACTUAL' | 'FORECASTED') => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100, thresholdType: 'PERCENTAGE' },
    subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
  });
  const budget = new CfnBudget(stack, 'BillBudget', {
    budget: {
      budgetName: stack.stackName,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: usd, unit: 'USD' },
    },
    notificationsWithSubscribers: [warning('FORECASTED'), warning('ACTUAL')],
  });
  // It may send from the start.
  budget.node.addDependency(topic);
}
