import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import {
  aggregateDays,
  auditRetentionDays,
  list,
  type SettingTable,
  type SettingValues,
  topicArn,
  variablesOf,
} from '../adapters/env.ts';
import { isTimeZone } from '../kernel/model/index.ts';

const timeZone = z.string().refine(isTimeZone, 'must be the IANA name of a time zone, such as Europe/Berlin');

export const KEY_WATCH_SETTINGS = {
  auditRetentionDays,
  aggregateDays,
  spendReportTimeZone: {
    variable: 'SVC_SPEND_REPORT_TIME_ZONE',
    schema: timeZone.default('UTC'),
    inStage: () => timeZone,
    toText: (name: string) => name,
    path: 'spendReport.timeZone',
    default: 'UTC',
    example: 'Europe/Berlin',
    description: 'The time zone of the months of [spend reports](spend.md#get-a-report-each-month)',
  },
  spendReportTopicArns: {
    variable: 'SVC_SPEND_REPORT_TOPIC_ARNS',
    ...list(z.array(topicArn)),
    inStage: () => z.array(topicArn).max(10),
    path: 'spendReport.topicArns',
    default: 'none',
    example: ['arn:aws:sns:eu-central-1:123456789012:llm-spend'],
    description: 'SNS topics of the same region that get spend reports',
  },
} as const satisfies SettingTable;

export type KeyWatchSettings = SettingValues<typeof KEY_WATCH_SETTINGS>;

/** Environment of the function that watches keys and roll-outs; the construct in lib/ takes exactly this type. */
export const keyWatchEnvSchema = z.object({ ...tableSchemas('key-watch'), ...variablesOf(KEY_WATCH_SETTINGS) });

export type KeyWatchEnv = z.input<typeof keyWatchEnvSchema>;
