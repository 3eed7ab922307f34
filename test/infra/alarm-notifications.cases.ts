import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import {
  alarmsOf,
  compositesOf,
  full,
  nameOf,
  type Properties,
  plain,
  runbooks,
  SYMPTOMS,
  severityOf,
} from './operations-templates.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

/** With the alarms of containers. */
const containers = Template.fromJSON(synthesize({ ...PLAIN, distribution: true, compute: 'fargate' }).operations);

describe('the alarms', () => {
  test.each([
    ['topics that are there', full, FULL.alarmTopicArn, FULL.alarmTicketTopicArn],
    [
      'topics of their own',
      plain,
      { Ref: expect.stringMatching(/^AlarmTopic/) },
      { Ref: expect.stringMatching(/^AlarmTicketTopic/) },
    ],
  ])(
    'notify %s by their severity, when they go on and off; symptoms do so together, as Health',
    (_name, template, page, ticket) => {
      const alarms = alarmsOf(template);
      expect(alarms.length).toBeGreaterThan(25);
      const topics = { page, ticket };
      const silent = alarms.flatMap(([id, { AlarmDescription, AlarmActions, OKActions }]) => {
        if (AlarmActions === undefined) return [nameOf(id)];
        expect([id, AlarmActions, OKActions]).toEqual([id, [topics[severityOf(AlarmDescription)]], AlarmActions]);
        return [];
      });
      expect(silent.sort()).toEqual(SYMPTOMS.filter((name) => name !== 'RestApiFails').sort());
    },
  );

  test('a budget of the AWS bill warns once its forecast and once it itself exceeds the budget, to the topic of tickets', () => {
    plain.resourceCountIs('AWS::Budgets::Budget', 0);
    const budgeted = Template.fromJSON(synthesize({ ...PLAIN, monthlyBudgetUsd: 500 }).operations);
    const topic = { Ref: expect.stringMatching(/^AlarmTicketTopic/) };
    for (const [template, address] of [
      [full, FULL.alarmTicketTopicArn],
      [budgeted, topic],
    ] as const) {
      const [{ Properties } = { Properties: {} }] = Object.values(template.findResources('AWS::Budgets::Budget'));
      expect(Properties).toMatchObject({
        Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 500, Unit: 'USD' } },
        NotificationsWithSubscribers: ['FORECASTED', 'ACTUAL'].map((NotificationType) => ({
          Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold: 100 },
          Subscribers: [{ SubscriptionType: 'SNS', Address: address }],
        })),
      });
    }
    const ofBudgets = ({ operations: { Resources } }: ReturnType<typeof synthesize>) =>
      Object.values(Resources)
        .filter((resource) => JSON.stringify(resource.Properties).includes('budgets.amazonaws.com'))
        .map(({ Type }) => Type)
        .sort();
    // Both topics and their key, for this account alone.
    expect(ofBudgets(synthesize({ ...PLAIN, monthlyBudgetUsd: 500 }))).toEqual([
      'AWS::KMS::Key',
      'AWS::SNS::TopicPolicy',
      'AWS::SNS::TopicPolicy',
    ]);
    expect(ofBudgets(synthesize(PLAIN))).toEqual([]);
  });

  test('have the severity that the runbook gives them', () => {
    const rest = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
    const said = new Map<string, string>();
    for (const template of [plain, full, rest, containers]) {
      for (const [id, { AlarmDescription }] of [...alarmsOf(template), ...compositesOf(template)]) {
        if (nameOf(id) !== 'Cause') said.set(nameOf(id), severityOf(AlarmDescription));
      }
    }
    expect(said.size).toBeGreaterThan(45);
    const rows = [...runbooks.matchAll(/^\| (page|ticket) \| (.+?) \|/gm)];
    const written = rows.flatMap(([, severity = '', cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, severity] as const),
    );
    const byRunbook = (name: string) =>
      written.filter(([pattern]) => new RegExp(`^${pattern.replace(/<\w+>/, '\\w+').replace('-', '')}$`).test(name));
    for (const [name, severity] of said)
      expect([name, byRunbook(name).map(([, one]) => one)]).toEqual([name, [severity]]);
    // The runbook names no alarm that does not exist.
    for (const [pattern] of written) {
      expect([pattern, [...said.keys()].some((name) => byRunbook(name).some(([one]) => one === pattern))]).toEqual([
        pattern,
        true,
      ]);
    }
  });

  test('each link to a section of docs/reference/runbooks.md, and each section of an alarm has a link', () => {
    const chapter = runbooks.split(/^## /m).find((text) => text.startsWith('Alarms')) ?? '';
    const anchorOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    const headings = [...chapter.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const described = [
      ...alarmsOf(full),
      ...alarmsOf(containers),
      ...(Object.entries(full.findResources('AWS::CloudWatch::CompositeAlarm')).map(([id, { Properties }]) => [
        id,
        Properties,
      ]) as [string, Properties][]),
    ].map(([, { AlarmDescription }]) => /docs\/reference\/runbooks\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1]);
    // Alarms of deployments, and a budget, link to nothing or have no text.
    const others = ['rolled-back', 'bill-above-its-budget'];
    expect(new Set(described)).toEqual(new Set(headings.filter((heading) => !others.includes(heading))));
    // What it means is in the alarm; how to look and what to do are commands, or say what there is to read.
    for (const section of chapter.split(/^### /m).slice(1)) {
      expect([section.split('\n')[0], section.split(/\s+/).length > 40]).toEqual([section.split('\n')[0], true]);
    }
  });
});

describe('the recipient', () => {
  test('is an encrypted topic whose key alarms of this account may use, and that requires TLS', () => {
    const ofThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
    const byAlarms = { Principal: { Service: 'cloudwatch.amazonaws.com' }, Condition: ofThisAccount };
    plain.hasResourceProperties('AWS::KMS::Key', {
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({ ...byAlarms, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], Effect: 'Allow' }),
        ]),
      },
    });
    plain.hasResourceProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': [Match.stringLikeRegexp('AlarmTopicKey'), 'Arn'] },
    });
    plain.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({ ...byAlarms, Effect: 'Allow', Action: 'sns:Publish' }),
        ]),
      },
    });
    plain.resourceCountIs('AWS::SNS::Subscription', 0);
  });

  const topicsOf = (settings: object) => {
    const template = Template.fromJSON(synthesize({ ...PLAIN, ...settings }).operations);
    const actions = (severity: string) =>
      [
        ...new Set(
          [...alarmsOf(template), ...compositesOf(template)].flatMap(([, { AlarmDescription, AlarmActions = [] }]) =>
            severityOf(AlarmDescription) === severity ? [JSON.stringify(AlarmActions[0])] : [],
          ),
        ),
      ]
        .filter(Boolean)
        .map((text) => JSON.parse(text).Ref?.replace(/[0-9A-F]{8}$/, '') ?? JSON.parse(text));
    const mails = Object.values(template.findResources('AWS::SNS::Subscription')).map(
      ({ Properties: { Endpoint, TopicArn } }) =>
        [Endpoint, TopicArn.Ref?.replace(/[0-9A-F]{8}$/, '') ?? TopicArn].join(' '),
    );
    return {
      page: actions('page'),
      ticket: actions('ticket'),
      created: Object.keys(template.findResources('AWS::SNS::Topic')).length,
      mails: mails.sort(),
    };
  };
  const ON_CALL = 'arn:aws:sns:eu-central-1:123456789012:on-call';
  const TICKETS = 'arn:aws:sns:eu-central-1:123456789012:tickets';

  test.each([
    ['none', {}, { page: ['AlarmTopic'], ticket: ['AlarmTicketTopic'], created: 2, mails: [] }],
    [
      'one topic for all',
      { alarmTopicArn: ON_CALL, alarmEmails: ['a@example.com'] },
      { page: [ON_CALL], ticket: [ON_CALL], created: 0, mails: [`a@example.com ${ON_CALL}`] },
    ],
    [
      'addresses for all',
      { alarmEmails: ['a@example.com'] },
      {
        page: ['AlarmTopic'],
        ticket: ['AlarmTicketTopic'],
        created: 2,
        mails: ['a@example.com AlarmTicketTopic', 'a@example.com AlarmTopic'],
      },
    ],
    [
      'two topics',
      { alarmTopicArn: ON_CALL, alarmTicketTopicArn: TICKETS },
      { page: [ON_CALL], ticket: [TICKETS], created: 0, mails: [] },
    ],
    [
      'one topic twice',
      { alarmTopicArn: ON_CALL, alarmTicketTopicArn: ON_CALL, alarmEmails: ['a@example.com'] },
      { page: [ON_CALL], ticket: [ON_CALL], created: 0, mails: [`a@example.com ${ON_CALL}`] },
    ],
    [
      'a topic for tickets alone',
      { alarmTicketTopicArn: TICKETS },
      { page: ['AlarmTopic'], ticket: [TICKETS], created: 1, mails: [] },
    ],
    [
      'two lists of addresses',
      { alarmEmails: ['a@example.com'], alarmTicketEmails: ['b@example.com'] },
      {
        page: ['AlarmTopic'],
        ticket: ['AlarmTicketTopic'],
        created: 2,
        mails: ['a@example.com AlarmTopic', 'b@example.com AlarmTicketTopic'],
      },
    ],
    [
      'a topic and other addresses for tickets',
      { alarmTopicArn: ON_CALL, alarmTicketEmails: ['b@example.com'] },
      { page: [ON_CALL], ticket: ['AlarmTicketTopic'], created: 1, mails: ['b@example.com AlarmTicketTopic'] },
    ],
  ])('is, with %s in the settings, a topic of each severity', (_name, settings, expected) => {
    expect(topicsOf(settings)).toEqual(expected);
  });

  test('is an existing topic if one is named, and each address of the settings', () => {
    full.resourceCountIs('AWS::SNS::Topic', 0);
    full.resourceCountIs('AWS::KMS::Key', 0);
    full.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
      TopicArn: FULL.alarmTopicArn,
    });
  });
});
