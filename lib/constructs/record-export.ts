import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as scheduler from 'aws-cdk-lib/aws-scheduler';
import * as targets from 'aws-cdk-lib/aws-scheduler-targets';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';

/** The length of a window, the hour of the cron schedule, and the JSONata picture of its start. */
const WINDOWS = {
  hour: { length: Duration.hours(1), hour: '*', picture: '[Y0001]-[M01]-[D01]T[H01]' },
  day: { length: Duration.days(1), hour: '0', picture: '[Y0001]-[M01]-[D01]' },
} as const;
const PREFIX = 'records';
/** Actions that an export needs: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport_Requesting.html */
const BUCKET_ACTIONS = ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'];
const POLL = Duration.minutes(2);
const LONGEST = Duration.hours(6);

export interface RecordExportProps {
  readonly table: dynamodb.TableV2;
  readonly every: keyof typeof WINDOWS;
  /** Retention of files, days. */
  readonly keptDays: number;
  readonly encryptionKey: kms.IKey | undefined;
}

/**
 * Exports a table's new items of each hour or day to a bucket. DynamoDB writes the files from its backups, without using table
 * capacity. Exports keep no state: each covers the last whole window before its scheduled time, so it can be repeated by that time.
 */
export class RecordExport extends Construct {
  readonly bucket: s3.Bucket;
  /** Each export is one execution. */
  readonly machine: sfn.StateMachine;

  constructor(scope: Construct, id: string, props: RecordExportProps) {
    super(scope, id);
    this.bucket = this.createBucket(props);
    const machine = new sfn.StateMachine(this, 'Machine', {
      comment: 'Exports the last whole window of the records table to S3, and waits for completion.',
      queryLanguage: sfn.QueryLanguage.JSONATA,
      definitionBody: sfn.DefinitionBody.fromChainable(this.steps(props)),
      timeout: LONGEST,
    });
    for (const id of ['AwsSolutions-SF1', 'AwsSolutions-SF2', 'Serverless-StepFunctionStateMachineXray']) {
      Validations.of(machine).acknowledge({
        id,
        reason:
          'Two calls, at most once an hour. Step Functions keeps their history for 90 days; failures raise an alarm.',
      });
    }
    this.grant(machine, props);
    const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    const role = new iam.Role(this, 'ScheduleRole', {
      assumedBy: new iam.ServicePrincipal('scheduler.amazonaws.com', { conditions: ofThisAccount }),
    });
    new scheduler.Schedule(this, 'Schedule', {
      description: 'Starts the export of records once the previous window is in the backups.',
      schedule: scheduler.ScheduleExpression.cron({ minute: '30', hour: WINDOWS[props.every].hour }),
      target: new targets.StepFunctionsStartExecution(machine, {
        role,
        input: scheduler.ScheduleTargetInput.fromObject({ scheduledAt: scheduler.ContextAttribute.scheduledTime }),
      }),
    });
    this.machine = machine;
  }

  private createBucket({ encryptionKey, keptDays }: RecordExportProps): s3.Bucket {
    const bucket = new s3.Bucket(this, 'Bucket', {
      ...(encryptionKey === undefined
        ? { encryption: s3.BucketEncryption.S3_MANAGED }
        : { encryption: s3.BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }),
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(keptDays), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'The operator grants access; CloudTrail data events, if enabled, record it.',
    });
    return bucket;
  }

  private steps({ table, every, encryptionKey }: RecordExportProps): sfn.IChainable {
    const { length, picture } = WINDOWS[every];
    const ms = length.toMilliseconds();
    const window = sfn.Pass.jsonata(this, 'Window', {
      assign: {
        until: `{% $floor($toMillis($states.input.scheduledAt) / ${ms}) * ${ms} %}`,
      },
    });
    const start = tasks.CallAwsService.jsonata(this, 'Export', {
      service: 'dynamodb',
      action: 'exportTableToPointInTime',
      iamAction: 'dynamodb:ExportTableToPointInTime',
      iamResources: [table.tableArn],
      parameters: {
        TableArn: table.tableArn,
        ExportType: 'INCREMENTAL_EXPORT',
        ExportFormat: 'DYNAMODB_JSON',
        IncrementalExportSpecification: {
          ExportFromTime: `{% $fromMillis($until - ${ms}) %}`,
          ExportToTime: '{% $fromMillis($until) %}',
          ExportViewType: 'NEW_IMAGE',
        },
        S3Bucket: this.bucket.bucketName,
        S3Prefix: `{% '${PREFIX}/' & $fromMillis($until - ${ms}, '${picture}') %}`,
        ...(encryptionKey === undefined
          ? { S3SseAlgorithm: 'AES256' }
          : { S3SseAlgorithm: 'KMS', S3SseKmsKeyId: encryptionKey.keyArn }),
        // A retried call does not start a second export.
        ClientToken: '{% $states.context.Execution.Name %}',
      },
    });
    const look = tasks.CallAwsService.jsonata(this, 'Look', {
      service: 'dynamodb',
      action: 'describeExport',
      iamAction: 'dynamodb:DescribeExport',
      iamResources: [`${table.tableArn}/export/*`],
      parameters: { ExportArn: '{% $states.input.ExportDescription.ExportArn %}' },
    });
    for (const call of [start, look]) {
      call.addRetry({ errors: ['States.ALL'], interval: Duration.minutes(1), maxAttempts: 5, backoffRate: 2 });
    }
    const wait = sfn.Wait.jsonata(this, 'Wait', { time: sfn.WaitTime.duration(POLL) });
    const is = (status: string) =>
      sfn.Condition.jsonata(`{% $states.input.ExportDescription.ExportStatus = '${status}' %}`);
    const fail = sfn.Fail.jsonata(this, 'NotExported', {
      error: 'ExportFailed',
      cause: '{% $states.input.ExportDescription.FailureMessage %}',
    });
    const ended = sfn.Choice.jsonata(this, 'Ended')
      .when(is('COMPLETED'), sfn.Succeed.jsonata(this, 'Exported'))
      .when(is('FAILED'), fail)
      .otherwise(wait);
    return window.next(start).next(wait).next(look).next(ended);
  }

  private grant(machine: sfn.StateMachine, { table, encryptionKey }: RecordExportProps): void {
    iam.Grant.addToPrincipal({
      grantee: machine,
      actions: BUCKET_ACTIONS,
      resourceArns: [this.bucket.arnForObjects(`${PREFIX}/*`)],
    });
    for (const [owner, suffix] of [
      [table, '/export/*'],
      [this.bucket, `/${PREFIX}/*`],
    ] as const) {
      const logicalId = Stack.of(this).getLogicalId(owner.node.defaultChild as CfnElement);
      Validations.of(machine).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>${suffix}]`,
        reason: 'DynamoDB chooses the names of files, under one prefix, and the ids of exports of this table.',
      });
    }
    if (encryptionKey !== undefined) {
      iam.Grant.addToPrincipal({
        grantee: machine,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resourceArns: [encryptionKey.keyArn],
        conditions: { StringLike: { 'kms:ViaService': ['dynamodb.*.amazonaws.com', 's3.*.amazonaws.com'] } },
      });
    }
  }
}
