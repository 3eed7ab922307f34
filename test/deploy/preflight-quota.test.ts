import { describe, expect, test } from '@jest/globals';
import type { AwsReply } from '../support/fake-aws.ts';
import { aws, faultOf, playAws, remarks, SETTINGS, setQuota } from './preflight-setup.ts';

playAws();

describe("Lambda's quota", () => {
  const REQUEST =
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region eu-central-1';

  /** The deployed stage has functions with these reservations. */
  function setReserved(reserved: Readonly<Record<string, number>>) {
    const summary = (LogicalResourceId: string, ResourceType: string, ResourceStatus = 'CREATE_COMPLETE') => ({
      LogicalResourceId,
      PhysicalResourceId: LogicalResourceId,
      ResourceType,
      ResourceStatus,
      LastUpdatedTimestamp: '2026-11-21T09:00:00Z',
    });
    const functions = Object.keys(reserved).map((name) => summary(name, 'AWS::Lambda::Function'));
    const others = [
      summary('table', 'AWS::DynamoDB::Table'),
      summary('old', 'AWS::Lambda::Function', 'DELETE_COMPLETE'),
    ];
    // Two pages.
    aws.replies.set('cloudformation:ListStackResources', ({ body }) =>
      body.includes('NextToken')
        ? { StackResourceSummaries: { member: functions.slice(1) } }
        : { StackResourceSummaries: { member: [...others, ...functions.slice(0, 1)] }, NextToken: 'more' },
    );
    aws.replies.set('lambda:GetFunctionConcurrency', ({ path }) => {
      const name = /functions\/([^/]+)\//.exec(path)?.[1] ?? '';
      if (name === 'Deleted') return { error: 'ResourceNotFoundException', status: 404 };
      return reserved[name] === 0 ? {} : { ReservedConcurrentExecutions: reserved[name] };
    });
  }

  test('of a new account is a warning, and nothing is reserved', async () => {
    for (const quota of [10, 50]) {
      setQuota(quota);
      expect(await remarks()).toEqual({
        faults: [],
        warnings: [
          `Lambda's quota in eu-central-1 is ${quota}, of which 0 are reserved, so nothing is reserved for the admin API, and requests of the gateway can keep administrators out. Request a higher quota: ${REQUEST}`,
        ],
        context: { operationsConcurrency: '0' },
      });
    }
  });

  test.each([
    // A quarter at most, 90 at most, and never so much that fewer than 100 are left.
    [1_000, 1_000, {}, 90],
    [300, 300, {}, 75],
    [120, 120, {}, 0],
    [1_000, 130, {}, 30],
    [1_000, 122, {}, 0],
    [1_000, 190, { reservedConcurrency: 60 }, 30],
    [1_000, 190, { provisionedConcurrency: 60 }, 30],
    // Those of cdk.json are kept.
    [1_000, 1_000, { operationsConcurrency: 40 }, 40],
    [1_000, 1_000, { operationsConcurrency: 0 }, 0],
  ])('of %d, %d unreserved, leaves for administration, with %j: %d', async (quota, unreserved, settings, expected) => {
    setQuota(quota, unreserved);
    const { faults, context } = await remarks({ ...SETTINGS, ...settings });
    expect([faults, context]).toEqual([[], { operationsConcurrency: String(expected) }]);
  });

  test('counts what the deployed stage has reserved as available to it', async () => {
    setQuota(1_000, 100);
    setReserved({ Gateway: 0, AdminApi: 50, EventRelay: 20, UsageCounter: 20, Deleted: 9 });
    expect((await remarks()).context).toEqual({ operationsConcurrency: '90' });
    setReserved({ Gateway: 200 });
    expect((await remarks({ ...SETTINGS, reservedConcurrency: 150 })).context).toEqual({ operationsConcurrency: '50' });
    expect(await faultOf({ ...SETTINGS, reservedConcurrency: 150, operationsConcurrency: 90 })).toMatch(
      /^reservedConcurrency is 150 and operationsConcurrency is 90, but Lambda's quota in eu-central-1 is 1000, of which 700 are reserved/,
    );
  });

  test('leaves the reservation to the deployment if it cannot be computed, with the missing permission', async () => {
    setReserved({ AdminApi: 50 });
    for (const action of ['cloudformation:ListStackResources', 'lambda:GetFunctionConcurrency']) {
      const reply = aws.replies.get(action) as AwsReply;
      aws.replies.set(action, { error: 'AccessDenied', status: 403 });
      expect(await remarks()).toEqual({
        faults: [],
        warnings: [`Not checked: the Lambda quota of eu-central-1 (${action}: AccessDenied).`],
        context: {},
      });
      aws.replies.set(action, reply);
    }
  });

  test.each([
    ['reservedConcurrency', 10, 10, 5],
    ['reservedConcurrency', 1_000, 1_000, 901],
    ['provisionedConcurrency', 1_000, 1_000, 901],
    ['reservedConcurrency', 1_000, 300, 201],
  ] as const)('is too small for %s: %d, %d unreserved, %d wanted', async (name, quota, unreserved, wanted) => {
    setQuota(quota, unreserved);
    const fault = await faultOf({ ...SETTINGS, [name]: wanted });
    expect(fault).toContain(
      `${name} is ${wanted}, but Lambda's quota in eu-central-1 is ${quota}, of which ${quota - unreserved} are reserved and 100 must stay unreserved.`,
    );
    expect(fault).toContain('--desired-value 100');
  });

  test('suffices if 100 stay unreserved', async () => {
    setQuota(1_000, 300);
    expect((await remarks({ ...SETTINGS, reservedConcurrency: 200 })).faults).toEqual([]);
  });

  test('includes the reservation of a stage that exists', async () => {
    setQuota(1_000, 500);
    setReserved({ Gateway: 500 });
    expect((await remarks({ ...SETTINGS, reservedConcurrency: 500 })).faults).toEqual([]);
    expect(await faultOf({ ...SETTINGS, reservedConcurrency: 901 })).toMatch(/^reservedConcurrency is 901/);
  });
});
