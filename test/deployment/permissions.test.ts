import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from '@jest/globals';
import { readRecordedCalls } from '../infra/recorded-calls.ts';
import type { SdkCall } from '../infra/sdk-call.ts';
import { FULL, PLAIN, synthesize } from '../infra/synthesize.ts';
import { ACCOUNT, arnOf, policiesByRole, REGION, type Statement } from './role-policies.ts';

const recorded = readRecordedCalls();
const roles = Object.keys(recorded);
const busArn = arnOf('event-bus/siem');
/** The smallest deployment with every function, and the largest, with a KMS key and named models. */
const deployments = {
  plain: policiesByRole(
    synthesize({ ...PLAIN, region: REGION, distribution: true, findings: { eventBridge: { busArn } } }),
  ),
  full: policiesByRole(synthesize(FULL)),
};
/** Findings go to one place in each of the two; calls of the other were recorded as well. */
const isOfOther = (deployment: string, { action }: SdkCall) =>
  action.startsWith(deployment === 'plain' ? 'firehose:' : 'events:');

const KEY_POLICY = {
  Effect: 'Allow',
  Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
  Action: 'kms:*',
  Resource: '*',
};

type Context = Record<string, string | string[]>;

async function isAllowed(statements: readonly Statement[], action: string, resource: string, context: Context) {
  const Statement = statements.map((statement) => ({ Effect: 'Allow', ...statement }));
  const result = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${ACCOUNT}:role/function`,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: context,
      },
      identityPolicies: [{ name: 'role', policy: { Version: '2012-10-17', Statement } }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      // A key's own policy leaves it to IAM, as the default one does; no other resource here has one that allows anything.
      ...(action.startsWith('kms:') && { resourcePolicy: { Version: '2012-10-17', Statement: [KEY_POLICY] } }),
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(JSON.stringify(result.errors));
  return result.overallResult === 'Allowed';
}

function contextOf({ attributes, leadingKeys, returnValues }: SdkCall): Context {
  return {
    ...(attributes !== undefined && { 'dynamodb:Attributes': [...attributes] }),
    ...(leadingKeys !== undefined && { 'dynamodb:LeadingKeys': [...leadingKeys] }),
    ...(returnValues !== undefined && { 'dynamodb:ReturnValues': returnValues }),
  };
}

const isCallAllowed = (statements: readonly Statement[], call: SdkCall) =>
  isAllowed(statements, call.action, arnOf(call.resource), contextOf(call));

test('calls of every function were recorded', () => {
  const ofFunctions = Object.keys(deployments.plain).filter((role) =>
    /^(?!.*(Rollout|RecordExport)).*Role$/.test(role),
  );
  expect(roles.sort()).toEqual(ofFunctions.sort());
});

test("the containers' role may make every call of the gateway, and has no right that the function's role lacks", async () => {
  const settings = { ...PLAIN, region: REGION, distribution: true, onlyThroughDistribution: true };
  const ofContainers = policiesByRole(synthesize({ ...settings, compute: 'fargate' })).FargateGatewayRole ?? [];
  const refused: SdkCall[] = [];
  for (const call of recorded.GatewayRole ?? []) if (!(await isCallAllowed(ofContainers, call))) refused.push(call);
  expect(refused).toEqual([]);
  const ofFunction = policiesByRole(synthesize(settings)).GatewayRole?.map((statement) => JSON.stringify(statement));
  expect(ofContainers.filter((statement) => !ofFunction?.includes(JSON.stringify(statement)))).toEqual([]);
});

describe.each(Object.entries(deployments))('in the %s deployment', (name, policies) => {
  test.each(roles)('%s may make every call that its function makes', async (role) => {
    const refused: SdkCall[] = [];
    for (const call of recorded[role] ?? []) {
      if (isOfOther(name, call)) continue;
      if (!(await isCallAllowed(policies[role] ?? [], call))) refused.push(call);
    }
    expect(refused).toEqual([]);
  });

  test.each(roles)('%s may make no call that only other functions make', async (role) => {
    const made = new Set(recorded[role]?.map(({ action, resource }) => `${action} ${resource}`));
    const foreign = roles
      .filter((other) => other !== role)
      .flatMap((other) => recorded[other] ?? [])
      .filter(({ action, resource }) => !made.has(`${action} ${resource}`))
      .filter(({ action, resource }) => !isUnrecorded(role, `${action} ${arnOf(resource)}`));
    expect(foreign.length).toBeGreaterThan(0);
    const allowed: SdkCall[] = [];
    for (const call of foreign) if (await isCallAllowed(policies[role] ?? [], call)) allowed.push(call);
    expect(allowed).toEqual([]);
  });

  test.each(roles)('%s has no right that is never used', (role) => {
    const unused = (policies[role] ?? []).flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().flatMap((resource) => {
          const used = recorded[role]?.some((call) => call.action === action && covers(resource, arnOf(call.resource)));
          const right = `${action} ${resource}`;
          const isNamed = BY_AWS.some((pattern) => pattern.test(right)) || isUnrecorded(role, right);
          return used || isNamed ? [] : [right];
        }),
      ),
    );
    expect(unused).toEqual([]);
  });
});

/** Whether a policy's resource, `*` in it for any characters, is that of a call. */
function covers(pattern: string, resource: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  let at = first.length;
  if (!resource.startsWith(first)) return false;
  for (const part of rest) {
    const found = resource.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return rest.length === 0 ? at === resource.length : pattern.endsWith('*') || resource.endsWith(rest.at(-1) ?? '');
}

/** What AWS does with a function's role, for which the tests have no AWS: Lambda reads streams and queues, writes logs, connects. */
const BY_AWS = [
  /^logs:(CreateLogStream|PutLogEvents) /,
  /^xray:Put/,
  /^ec2:/,
  /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams) /,
  /^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) \S+:(events|deliveries|findings)$/,
  /^sqs:SendMessage \S+:(uncounted|unrelayed)$/,
  // Used through the services that keep what is encrypted with it: see below.
  /^kms:/,
];

/** A credential's secret, by the setting `credentialSecretArns`: test/admin/credentials.test.ts. */
const CREDENTIAL_SECRET = /^secretsmanager:GetSecretValue \S+:secret:openai-/;
/** Federation, by the setting `federationAudiences`: functions/adapters/http/token-exchange.test.ts. */
const IDENTITY_TOKEN = /^sts:GetWebIdentityToken /;

/** Rights whose use no test of test/runtime brings about, each with where it is used. */
const UNRECORDED: Readonly<Record<string, readonly RegExp[]>> = {
  GatewayRole: [
    // Profiles and models by the setting `bedrock`: one of them is called, by its id in the region.
    /^bedrock:InvokeModel(WithResponseStream)? \S+:(inference-profile|foundation-model)\//,
    // OpenAI's APIs at Bedrock, and the responses that it stores: test/contract/providers/bedrock-openai.test.ts.
    /^bedrock:(InvokeModel(WithResponseStream)?|(Get|Cancel|Delete)Invoke) \S+:project\/default$/,
    // A guardrail is called over HTTP: functions/adapters/aws/bedrock-guardrails.test.ts.
    /^bedrock:ApplyGuardrail /,
    // So are the checks without one: functions/adapters/aws/bedrock-guardrail-checks.test.ts.
    /^bedrock:InvokeGuardrailChecks /,
    // Headers for a receiver of spans (setting `otlp`): functions/gateway reads them like its other secrets.
    /^secretsmanager:GetSecretValue \S+:secret:otlp-/,
    CREDENTIAL_SECRET,
    IDENTITY_TOKEN,
  ],
  AdminApiRole: [
    CREDENTIAL_SECRET,
    IDENTITY_TOKEN,
    // What a key that was given other secrets leaves, once the last of them is none any more: test/admin/keys.test.ts.
    /^dynamodb:DeleteItem \S+\/keys$/,
    // Lists of a team, for its signed-in owners and viewers: test/threats/other-teams.test.ts.
    /^dynamodb:Query \S+\/(audit\/index\/byTeam|approvals\/index\/byTeam|aggregates\/index\/sessionsByTeam)$/,
    // Of the client at an identity provider, by the setting `oidc`: functions/admin-api reads it as it reads its other secrets.
    /^secretsmanager:GetSecretValue \S+:secret:oidc-/,
  ],
  // A listed name may lag behind a key that was given another secret: functions/adapters/dynamo/dynamo-key-store.ts.
  KeyWatchRole: [/^dynamodb:GetItem \S+\/keys$/],
  WebhookDeliveryRole: [
    // Events that are gathered into digests: test/webhooks drives them.
    /^dynamodb:(GetItem|DeleteItem|Query) \S+\/deliveries$/,
    // Topics of alerts and of spend reports, by settings: test/webhooks/delivery.test.ts.
    /^sns:Publish \S+:llm-(alerts|spend)$/,
  ],
};

const isUnrecorded = (role: string, right: string) => UNRECORDED[role]?.some((one) => one.test(right)) === true;

describe('conditions hold', () => {
  const conditional = roles.flatMap((role) =>
    (deployments.plain[role] ?? [])
      .filter(({ Condition }) => JSON.stringify(Condition ?? '').includes('dynamodb:'))
      .map((statement) => [role, statement] as const),
  );

  test('of permissions for certain attributes or items', () => {
    expect(conditional.map(([role]) => role)).toEqual(
      expect.arrayContaining(['GatewayRole', 'AdminApiRole', 'EventRelayRole', 'KeyWatchRole']),
    );
  });

  test.each(conditional)('%s: an attribute, an item or an answer besides is refused', async (role, statement) => {
    const isAboutItems = JSON.stringify(statement.Condition).includes('dynamodb:LeadingKeys');
    // A role may change some attributes of all items, and some items as a whole.
    const calls: SdkCall[] = [];
    for (const call of recorded[role] ?? []) if (await isCallAllowed([statement], call)) calls.push(call);
    expect(calls.length).toBeGreaterThan(0);
    const statements = deployments.plain[role] ?? [];
    for (const call of calls) {
      const beside: SdkCall[] = isAboutItems
        ? [{ ...call, leadingKeys: [...(call.leadingKeys ?? []), 'other'] }]
        : [
            { ...call, attributes: [...(call.attributes ?? []), 'permissions'] },
            { ...call, returnValues: 'ALL_NEW' },
          ];
      for (const one of beside) expect([one, await isCallAllowed(statements, one)]).toEqual([one, false]);
    }
  });

  test("of a customer's KMS key: only the services that store encrypted data use it", async () => {
    const key = String(FULL.encryptionKeyArn);
    // The dashboard's files lie in a bucket that is encrypted with S3's own: everybody may read them.
    for (const role of roles.filter((one) => one !== 'DashboardFilesRole')) {
      const statements = deployments.full[role] ?? [];
      const may = (action: string, resource: string, context: Context) =>
        isAllowed(statements, action, resource, context);
      for (const service of ['dynamodb', 'sqs', 'secretsmanager']) {
        const via = { 'kms:ViaService': `${service}.${REGION}.amazonaws.com` };
        for (const action of ['kms:Decrypt', 'kms:GenerateDataKey']) {
          expect([role, service, action, await may(action, key, via)]).toEqual([role, service, action, true]);
        }
        expect(await may('kms:Decrypt', key.replace('1234abcd', '99999999'), via)).toBe(false);
      }
      expect(await may('kms:Decrypt', key, {})).toBe(false);
      expect(await may('kms:Decrypt', key, { 'kms:ViaService': `s3.${REGION}.amazonaws.com` })).toBe(false);
    }
  });

  test('of network interfaces: Lambda creates them in the VPC, and no function does', async () => {
    const action = 'ec2:CreateNetworkInterface';
    const subnet = `arn:aws:ec2:${REGION}:${ACCOUNT}:subnet/subnet-0a1b2c3d`;
    const vpcOf = (id: unknown) => ({ 'ec2:Vpc': `arn:aws:ec2:${REGION}:${ACCOUNT}:vpc/${id}` });
    for (const role of roles) {
      const may = (context: Context) => isAllowed(deployments.full[role] ?? [], action, subnet, context);
      const inside = vpcOf(FULL.vpc?.vpcId);
      expect(await may(inside)).toBe(true);
      expect(await may(vpcOf('vpc-99999999'))).toBe(false);
      const byCode = { 'lambda:SourceFunctionArn': `arn:aws:lambda:${REGION}:${ACCOUNT}:function:any` };
      expect(await may({ ...inside, ...byCode })).toBe(false);
    }
  });
});
