import type { Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Settings } from '../settings/settings.ts';
import { grantKey } from './grants.ts';

/**
 * Encrypts all log groups and variables of functions in the stack with the customer's key, whichever construct made them. The data stack
 * gives the key to its resources itself, as other services need rights for it there.
 */
export function encryptLogsAndVariables(stack: Stack, keyArn: string): void {
  for (const child of stack.node.findAll()) {
    if (child instanceof logs.CfnLogGroup) child.kmsKeyId = keyArn;
    // Lambda itself uses the key there, by the key's policy.
    if (child instanceof lambda.CfnWebFunctionRevision) child.kmsKeyArn = keyArn;
    if (child instanceof lambda.Function) {
      (child.node.defaultChild as lambda.CfnFunction).kmsKeyArn = keyArn;
      grantKey({ keyArn }, child);
    }
  }
}

/** The key's replica in a region, which only multi-Region keys can have; undefined for others. */
export function replicaIn(region: string, keyArn: string): string | undefined {
  const [head, service, kms, own, account, resource = ''] = keyArn.split(':');
  if (own === region) return keyArn;
  return resource.startsWith('key/mrk-') ? [head, service, kms, region, account, resource].join(':') : undefined;
}

/** AWS's services that use the key themselves, so that its policy must allow them, by what they encrypt. */
export function servicesOf(settings: KeyUse, region: string): Readonly<Record<string, string>> {
  const { alarmTopicArn: page, alarmTicketTopicArn: ticket, alarmTicketEmails: emails, compute } = settings;
  const createsTopic = page === undefined || (ticket === undefined && emails !== undefined);
  return {
    [`logs.${region}.amazonaws.com`]: 'logs',
    ...(createsTopic && { 'cloudwatch.amazonaws.com': 'topics of alarms' }),
    ...(compute === 'web-function' && { 'lambda.amazonaws.com': 'variables of the Web Function' }),
  };
}

type KeyUse = Pick<Settings, 'alarmTopicArn' | 'alarmTicketTopicArn' | 'alarmTicketEmails' | 'compute'>;
