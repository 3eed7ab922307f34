import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { originSecretEnvSchema } from '../../functions/origin-secret/env.ts';
import { VIEWER_ADDRESS_CODE } from '../../lib/constructs/distribution.ts';
import { DASHBOARD_HEADERS } from '../../lib/dashboard-site.ts';
import type { Settings } from '../../lib/settings/settings.ts';
import { permissionsByRole } from './permissions.ts';
import { outputOf } from './references.ts';
import { PLAIN, synthesize } from './synthesize.ts';

const ZONE = { hostedZoneId: 'Z0123456789EXAMPLE', zoneName: 'example.com' };
const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1234abcd-12ab`;
const DOMAIN = { name: 'ai.example.com', certificateArn: certificateIn('us-east-1') };
const REST_API = {
  domain: { name: 'api.example.com', certificateArn: certificateIn('eu-central-1'), ...ZONE },
  throttle: { requestsPerSecond: 50, burst: 100 },
  allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
  accessLogs: true,
};

const withSettings = (more: Partial<Settings>) => synthesize({ ...PLAIN, ...more });
const alone = withSettings({ distribution: true });
const all = withSettings({
  distribution: { logBucket: 'our-logs' },
  domain: { name: 'ai.example.com', ...ZONE },
  onlyThroughDistribution: true,
  restApi: REST_API,
  waf: { rateLimit: 500, logs: true },
});
const rest = withSettings({ restApi: true, waf: true });

describe('the distribution', () => {
  const template = Template.fromJSON(alone.gateway);
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  const config = distribution?.Properties.DistributionConfig;
  const behaviors: Record<string, unknown>[] = config.CacheBehaviors;
  const originOf = ({ TargetOriginId }: Record<string, unknown>) =>
    JSON.stringify(config.Origins.find(({ Id }: { Id: string }) => Id === TargetOriginId).DomainName);

  const apiOrigins = config.Origins.filter(({ S3OriginConfig }: { S3OriginConfig?: object }) => !S3OriginConfig);

  test('routes each path to its function, the admin API before the gateway, the dashboard to its files, and everything else to the gateway', () => {
    const led = behaviors.map((one) => [one.PathPattern, /AdminApi|Gateway|Files/.exec(originOf(one))?.[0]]);
    expect(led).toEqual([
      ['/v1/admin/*', 'AdminApi'],
      ['/v1/analytics/*', 'AdminApi'],
      ...['/dashboard/assets/*', '/', '/dashboard', '/dashboard/*'].map((path) => [path, 'Files']),
    ]);
    expect(originOf(config.DefaultCacheBehavior)).toContain('Gateway');
  });

  test('passes the address of the viewer to the functions, whatever the viewer sends', () => {
    for (const behavior of [
      config.DefaultCacheBehavior,
      ...behaviors.filter((one) => !originOf(one).includes('Files')),
    ]) {
      const [{ EventType, FunctionARN }] = behavior.FunctionAssociations;
      const { FunctionCode } = template.toJSON().Resources[FunctionARN['Fn::GetAtt'][0]].Properties;
      expect([EventType, FunctionCode]).toEqual(['viewer-request', VIEWER_ADDRESS_CODE]);
    }
    const handler: (event: object) => unknown = runInNewContext(`${VIEWER_ADDRESS_CODE};handler`);
    const headers = { 'x-svc-viewer-address': { value: '192.0.2.1' }, a: { value: 'b' } };
    expect(handler({ viewer: { ip: '2001:db8::7' }, request: { uri: '/v1/models', headers } })).toEqual({
      uri: '/v1/models',
      headers: { 'x-svc-viewer-address': { value: '2001:db8::7' }, a: { value: 'b' } },
    });
  });

  test('waits for a response as long as the setting says, and the gateway knows it', () => {
    for (const [readTimeoutSeconds, seconds] of [
      [undefined, 120],
      [60, 60],
    ] as const) {
      const { gateway } = withSettings({ distribution: { readTimeoutSeconds } });
      const text = JSON.stringify(Template.fromJSON(gateway).findResources('AWS::CloudFront::Distribution'));
      const timeouts = [...text.matchAll(/"OriginReadTimeout":(\d+)/g)].map(([, timeout]) => Number(timeout));
      expect(timeouts).toEqual([seconds, seconds]);
      Template.fromJSON(gateway).hasResourceProperties('AWS::Lambda::Function', {
        Environment: { Variables: Match.objectLike({ SVC_DISTRIBUTION_TIMEOUT_MS: String(seconds * 1000) }) },
      });
    }
  });

  test('changes only the Host of API requests, and neither caches nor buffers responses', () => {
    const ofApi = [config.DefaultCacheBehavior, ...behaviors.filter((one) => !originOf(one).includes('Files'))];
    expect([ofApi.length, apiOrigins.length]).toEqual([3, 2]);
    for (const behavior of ofApi) {
      expect(behavior).toMatchObject({
        AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
        // CachingDisabled, and AllViewerExceptHostHeader, by the ids that AWS gave them.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        Compress: false,
        ViewerProtocolPolicy: 'https-only',
      });
    }
    for (const origin of apiOrigins) {
      const expected = { OriginReadTimeout: 120, OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] };
      expect(origin.CustomOriginConfig).toMatchObject(expected);
    }
    expect(config).toMatchObject({ HttpVersion: 'http2and3', IPV6Enabled: true });
    // A custom error page would replace the API's 403 and 404.
    expect(config).not.toHaveProperty('CustomErrorResponses');
  });

  test('sends the functions a secret that is in no template and no output', () => {
    const reference = [
      '{{resolve:secretsmanager:',
      { 'Fn::GetStackOutput': expect.objectContaining({ OutputName: expect.stringContaining('OriginSecret') }) },
      ':SecretString:sent::}}',
    ];
    for (const origin of apiOrigins) {
      expect(origin.OriginCustomHeaders).toEqual([
        { HeaderName: 'x-svc-origin-secret', HeaderValue: { 'Fn::Join': ['', reference] } },
      ]);
    }
    Template.fromJSON(alone.data).hasResource('AWS::SecretsManager::Secret', {
      Properties: {
        GenerateSecretString: { GenerateStringKey: 'sent', SecretStringTemplate: '{}', PasswordLength: 64 },
        SecretString: Match.absent(),
      },
      DeletionPolicy: 'RetainExceptOnCreate',
    });
    for (const outputs of [alone.gateway.Outputs, alone.data.Outputs]) {
      expect(JSON.stringify(outputs)).not.toContain('resolve:');
    }
  });

  test('serves the page with its headers from a private bucket', () => {
    const { 'content-security-policy': policy } = DASHBOARD_HEADERS;
    const headers = (cacheControl: string) => ({
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentSecurityPolicy: { ContentSecurityPolicy: policy, Override: true },
          ContentTypeOptions: { Override: true },
          ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
          StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
        },
        CustomHeadersConfig: {
          Items: Match.arrayWith([
            { Header: 'cross-origin-opener-policy', Value: 'same-origin', Override: true },
            { Header: 'cache-control', Value: cacheControl, Override: true },
          ]),
        },
      },
    });
    template.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', headers('no-cache'));
    template.hasResourceProperties(
      'AWS::CloudFront::ResponseHeadersPolicy',
      headers('public, max-age=31536000, immutable'),
    );
    template.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: [
          { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            Effect: 'Allow',
            Action: 's3:GetObject',
            Principal: { Service: 'cloudfront.amazonaws.com' },
            Condition: { StringEquals: { 'AWS:SourceArn': Match.anyValue() } },
          },
        ],
      },
    });
    template.resourceCountIs('Custom::DashboardFiles', 1);
  });

  test('has a custom domain if one is set, with at least TLS 1.2', () => {
    const named = Template.fromJSON(all.gateway);
    named.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['ai.example.com'],
        ViewerCertificate: {
          AcmCertificateArn: { 'Fn::GetStackOutput': { Region: 'us-east-1', OutputName: 'CertificateArn' } },
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        },
        Logging: { Bucket: 'our-logs.s3.amazonaws.com', IncludeCookies: false },
      },
    });
    for (const Type of ['A', 'AAAA']) {
      named.hasResourceProperties('AWS::Route53::RecordSet', { Type, Name: 'ai.example.com.' });
    }
    expect(all.edge?.Resources).toMatchObject({
      Certificate4E7ABB08: { Type: 'AWS::CertificateManager::Certificate', Properties: { ValidationMethod: 'DNS' } },
    });
  });

  test('uses an existing certificate; then nothing is needed in us-east-1', () => {
    const { gateway, edge } = withSettings({ distribution: true, domain: DOMAIN });
    expect(edge).toBeUndefined();
    Template.fromJSON(gateway).hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { ViewerCertificate: { AcmCertificateArn: DOMAIN.certificateArn } },
    });
    Template.fromJSON(gateway).resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  test('outputs its address, and passes it to the functions', () => {
    const host = { 'Fn::GetAtt': [Match.stringLikeRegexp('^Distribution'), 'DomainName'] };
    for (const [name, path] of [
      ['BaseUrl', '/v1'],
      ['AdminUrl', '/v1'],
      ['DashboardUrl', '/'],
    ] as const) {
      template.hasOutput(name, { Value: { 'Fn::Join': ['', ['https://', host, path]] } });
    }
    Template.fromJSON(all.gateway).hasOutput('BaseUrl', { Value: 'https://ai.example.com/v1' });
    Template.fromJSON(all.gateway).hasOutput('DistributionHost', { Value: host });
    const regional = { 'Fn::GetAtt': [Match.stringLikeRegexp('^RestApi'), 'RegionalDomainName'] };
    Template.fromJSON(all.gateway).hasOutput('RestApiHost', { Value: regional });
    const variables = (one: typeof alone, description: string) =>
      Object.values(one.gateway.Resources)
        .filter(({ Properties }) => String(Properties?.Description).includes(description))
        .map(
          ({ Properties }) =>
            (Properties as { Environment: { Variables: Record<string, unknown> } }).Environment.Variables,
        );
    for (const description of ['OpenAI-compatible gateway', 'The admin API']) {
      expect(variables(alone, description)).toEqual([
        expect.objectContaining({ SVC_ORIGIN_SECRET_ARN: expect.anything() }),
      ]);
      expect(variables(alone, description)[0]).not.toHaveProperty('SVC_ONLY_THROUGH_DISTRIBUTION');
      expect(variables(all, description)[0]).toMatchObject({ SVC_ONLY_THROUGH_DISTRIBUTION: 'true' });
      expect(variables(rest, description)[0]).not.toHaveProperty('SVC_ORIGIN_SECRET_ARN');
    }
  });

  test('works without a dashboard if none was built', () => {
    const { gateway, findings } = synthesize({ ...PLAIN, distribution: true }, undefined, { dashboard: undefined });
    expect(findings).toEqual([]);
    const bare = Template.fromJSON(gateway);
    bare.resourceCountIs('AWS::S3::Bucket', 0);
    bare.resourceCountIs('Custom::DashboardFiles', 0);
    bare.resourceCountIs('AWS::CloudFront::Distribution', 1);
    expect(Object.keys(gateway.Outputs ?? {})).not.toContain('DashboardUrl');
  });

  test('is absent with all its parts if it is switched off', () => {
    const off = withSettings({});
    for (const type of [
      'CloudFront::Distribution',
      'S3::Bucket',
      'SecretsManager::RotationSchedule',
      'WAFv2::WebACL',
    ]) {
      Template.fromJSON(off.gateway).resourceCountIs(`AWS::${type}`, 0);
    }
    expect(off.edge).toBeUndefined();
  });
});

/** Every address at which the functions of a stage can be reached, and what closes or protects it. */
function openDoors(settings: Partial<Settings>): string[] {
  const { gateway } = withSettings(settings);
  const ofType = (type: string) => Object.values(gateway.Resources).filter(({ Type }) => Type === type);
  const text = JSON.stringify(ofType('AWS::Lambda::Function'));
  const distribution = ofType('AWS::CloudFront::Distribution').map(({ Properties }) =>
    JSON.stringify(Properties).includes('"WebACLId"') ? 'distribution with WAF' : 'distribution',
  );
  const restApi = ofType('AWS::ApiGateway::RestApi').flatMap(({ Properties }) => {
    const protection = ofType('AWS::WAFv2::WebACLAssociation').length > 0 ? ' with WAF' : '';
    const domain = ofType('AWS::ApiGateway::DomainName').map(() => `REST API's domain${protection}`);
    return Properties?.DisableExecuteApiEndpoint === true ? domain : [...domain, `REST API${protection}`];
  });
  const isClosed = text.includes('"SVC_ONLY_THROUGH_DISTRIBUTION":"true"');
  const urls = ofType('AWS::Lambda::Url').map(() => 'function URL');
  // Without a URL, no permission for everyone may remain.
  const everyone = ofType('AWS::Lambda::Permission').filter(({ Properties }) => Properties?.Principal === '*');
  expect(everyone.length > 0).toBe(urls.length > 0);
  return [...distribution, ...restApi, ...(isClosed ? [] : urls)];
}

describe('the open doors', () => {
  const urls = ['function URL', 'function URL'];
  test.each<[doors: string[], settings: Partial<Settings>]>([
    [['distribution', ...urls], { distribution: true }],
    [['distribution'], { distribution: true, onlyThroughDistribution: true }],
    [['distribution with WAF'], { distribution: true, waf: true, region: 'eu-central-1' }],
    [
      ['distribution with WAF', ...urls],
      { distribution: true, waf: true, region: 'eu-central-1', onlyThroughDistribution: false },
    ],
    [['distribution', 'REST API', ...urls], { distribution: true, restApi: true }],
    [
      ['distribution with WAF', 'REST API with WAF'],
      { distribution: true, restApi: true, waf: true, region: 'eu-central-1' },
    ],
    [urls, {}],
    [urls, { publicFunctionUrls: true }],
    [['REST API'], { restApi: true }],
    [['REST API with WAF'], { restApi: true, waf: true }],
    [['REST API', ...urls], { restApi: true, publicFunctionUrls: true }],
    [["REST API's domain"], { restApi: REST_API }],
    [["REST API's domain with WAF"], { restApi: REST_API, waf: true }],
  ])('are %j with %j', (doors, settings) => {
    expect(openDoors(settings)).toEqual(doors);
  });
});

describe('the rotation of the origin secret', () => {
  const template = Template.fromJSON(all.gateway);

  test('runs each month, and alarms an operator if it fails', () => {
    template.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      RotationLambdaARN: { 'Fn::GetAtt': [Match.stringLikeRegexp('OriginSecretRotation'), 'Arn'] },
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
    Template.fromJSON(all.operations).hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: outputOf('OriginSecretRotation') }],
      AlarmDescription: Match.stringLikeRegexp('#origin-secret-not-rotated$'),
    });
  });

  test('has an environment that its handler accepts, and 15 minutes', () => {
    const [one] = Object.values(
      template.findResources('AWS::Lambda::Function', {
        Properties: { Description: Match.stringLikeRegexp('Rotates the secret') },
      }),
    );
    const variables: Record<string, unknown> = one?.Properties.Environment.Variables;
    const references = {
      SVC_DISTRIBUTION_ID: 'E1EXAMPLE',
      SVC_DISTRIBUTION_URL: 'https://x',
      SVC_ORIGIN_SECRET_ARN: 'arn',
    };
    expect(Object.keys(variables).sort()).toEqual(Object.keys(originSecretEnvSchema.shape).sort());
    expect(originSecretEnvSchema.parse(references)).toEqual(references);
    expect(one?.Properties.Timeout).toBe(900);
  });

  test('has only the permissions that it needs, like the functions that upload files and read the secret', () => {
    const roles = permissionsByRole(all);
    const own = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const cloudfront = ['GetDistribution', 'GetDistributionConfig', 'UpdateDistribution'];
    const distribution = 'arn:AWS::Partition:cloudfront::AWS::AccountId:distribution/Distribution';
    expect(roles.OriginSecretRotationRole).toEqual(
      [
        ...cloudfront.map((action) => `cloudfront:${action} on ${distribution}`),
        ...own.map((action) => `${action} on OriginSecretRotationLogs`),
        ...['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
          (action) => `secretsmanager:${action} on OriginSecret`,
        ),
        'wafv2:GetWebACL on WebAclArn',
      ].sort(),
    );
    expect(roles.DashboardFilesRole).toEqual([
      ...own.map((action) => `${action} on DashboardFilesLogs`),
      's3:DeleteObject on DistributionFiles/*',
      's3:ListBucket on DistributionFiles',
      's3:PutObject on DistributionFiles/*',
    ]);
    for (const role of [roles.GatewayRole, roles.AdminApiRole]) {
      expect(role?.filter((permission) => permission.includes('OriginSecret'))).toEqual([
        'secretsmanager:GetSecretValue on OriginSecret',
      ]);
    }
  });
});

describe('the REST API', () => {
  const template = Template.fromJSON(rest.gateway);
  const full = Template.fromJSON(all.gateway);

  test("is regional and streams the aliases' responses, for as long as they may run", () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['multipart/form-data', 'application/octet-stream'],
      DisableExecuteApiEndpoint: false,
      Policy: Match.absent(),
    });
    template.resourceCountIs('AWS::ApiGateway::Method', 5);
    template.allResourcesProperties('AWS::ApiGateway::Method', {
      HttpMethod: 'ANY',
      AuthorizationType: 'NONE',
      Integration: {
        Type: 'AWS_PROXY',
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: 900_000,
        Uri: { 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('/response-streaming-invocations$')])] },
      },
    });
    expect(JSON.stringify(template.findResources('AWS::ApiGateway::Method'))).toContain('Aliaslive');
  });

  test.each([
    ['', 'Gateway'],
    ['{proxy+}', 'Gateway'],
    ['v1/{proxy+}', 'Gateway'],
    ['v1/admin/{proxy+}', 'AdminApi'],
    ['v1/analytics/{proxy+}', 'AdminApi'],
  ])('leads /%s to %s', (path, name) => {
    const id = path === '' ? 'ANY' : `${path.replaceAll('/', '').replace('{proxy+}', 'proxy')}ANY`;
    const methods = Object.entries(template.findResources('AWS::ApiGateway::Method'));
    const found = methods.filter(([logicalId]) => logicalId.replace(/[0-9A-F]{8}$/, '') === `RestApi${id}`);
    expect(found).toHaveLength(1);
    expect(/(Gateway|AdminApi)FunctionAliaslive/.exec(JSON.stringify(found))?.[1]).toBe(name);
  });

  test('lets only API Gateway invoke the functions', () => {
    const granted = Object.values(template.findResources('AWS::Lambda::Permission')).filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(granted.length).toBeGreaterThan(0);
    for (const { Properties } of granted) expect(JSON.stringify(Properties.SourceArn)).toContain('RestApi');
  });

  test('applies its settings: throttle, allowed addresses, a domain, and logs without headers, queries and bodies', () => {
    full.hasResourceProperties('AWS::ApiGateway::RestApi', {
      DisableExecuteApiEndpoint: true,
      Policy: {
        Statement: [
          { Effect: 'Allow', Action: 'execute-api:Invoke' },
          {
            Effect: 'Deny',
            Action: 'execute-api:Invoke',
            Condition: { NotIpAddress: { 'aws:SourceIp': REST_API.allowedAddresses } },
          },
        ],
      },
    });
    full.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'live',
      MethodSettings: [{ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, HttpMethod: '*', ResourcePath: '/*' }],
    });
    const [stage] = Object.values(full.findResources('AWS::ApiGateway::Stage'));
    const format: string = stage?.Properties.AccessLogSetting.Format;
    expect(format).not.toMatch(/header|query|body|authorizer|apiKey/i);
    expect(JSON.parse(format)).toMatchObject({ status: '$context.status', ip: '$context.identity.sourceIp' });
    full.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.com',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
    });
    full.hasResourceProperties('AWS::Route53::RecordSet', { Type: 'A', Name: 'api.example.com.' });
    full.hasOutput('RestApiUrl', { Value: 'https://api.example.com/v1' });
    // The account's role for API Gateway's logs is not ours to set.
    full.resourceCountIs('AWS::ApiGateway::Account', 0);
  });

  test("is the clients' address without a distribution", () => {
    const { BaseUrl, RestApiUrl } = rest.gateway.Outputs ?? {};
    expect(BaseUrl?.Value).toEqual(RestApiUrl?.Value);
    expect(JSON.stringify(BaseUrl?.Value)).toContain('/live/v1');
  });
});

describe('the web ACLs', () => {
  const acls = [all.edge, all.gateway, rest.gateway].map((template) =>
    Object.values(template?.Resources ?? {}).filter(({ Type }) => Type === 'AWS::WAFv2::WebACL'),
  );
  interface Rule {
    readonly Priority: number;
    readonly Statement: {
      readonly ManagedRuleGroupStatement?: {
        readonly Name: string;
        readonly RuleActionOverrides: readonly { readonly Name: string; readonly ActionToUse: object }[];
      };
    };
  }
  const rulesOf = ([acl]: (typeof acls)[number]) => acl?.Properties?.Rules as Rule[];

  test('protect the distribution and the REST API, each in its required region', () => {
    expect(acls.map(([acl]) => acl?.Properties?.Scope)).toEqual(['CLOUDFRONT', 'REGIONAL', 'REGIONAL']);
    Template.fromJSON(all.gateway).hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { WebACLId: { 'Fn::GetStackOutput': { Region: 'us-east-1', OutputName: 'WebAclArn' } } },
    });
    for (const { gateway } of [all, rest]) {
      Template.fromJSON(gateway).hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
        ResourceArn: { 'Fn::Join': ['', Match.arrayWith(['/stages/'])] },
      });
    }
    // Without a distribution nothing is needed in us-east-1.
    expect(rest.edge).toBeUndefined();
  });

  test('have one rule of each priority, the rate first', () => {
    for (const acl of acls) {
      const priorities = rulesOf(acl).map(({ Priority }) => Priority);
      expect(priorities).toEqual(priorities.map((_, at) => at));
      expect(rulesOf(acl)[0]?.Statement).toHaveProperty('RateBasedStatement');
    }
  });

  test('refuse clients above the rate', () => {
    expect(acls.map((acl) => rulesOf(acl)[0])).toMatchObject(
      [500, 500, 60_000].map((Limit) => ({
        Action: { Block: {} },
        Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit, EvaluationWindowSec: 300 } },
      })),
    );
  });

  test('only count rules for bodies and sizes, because prompts are long and contain code', () => {
    for (const acl of acls) {
      const groups = rulesOf(acl).flatMap(({ Statement: { ManagedRuleGroupStatement: group } }) =>
        group === undefined
          ? []
          : [
              [
                group.Name,
                group.RuleActionOverrides.filter(({ ActionToUse }) => 'Count' in ActionToUse).map(({ Name }) => Name),
              ],
            ],
      );
      expect(Object.fromEntries(groups)).toEqual({
        AWSManagedRulesAmazonIpReputationList: [],
        AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
        AWSManagedRulesCommonRuleSet: [
          'NoUserAgent_HEADER',
          ...['QUERYSTRING', 'Cookie_HEADER', 'BODY', 'URIPATH'].map((what) => `SizeRestrictions_${what}`),
          ...['EC2MetaDataSSRF', 'GenericLFI', 'GenericRFI', 'CrossSiteScripting'].map((what) => `${what}_BODY`),
        ],
      });
    }
  });

  test('expose no key, neither in logs nor in samples', () => {
    const logging = [all.edge, all.gateway].map(
      (template) =>
        Object.values(template?.Resources ?? {}).find(({ Type }) => Type === 'AWS::WAFv2::LoggingConfiguration')
          ?.Properties,
    );
    for (const properties of logging) {
      expect(properties?.RedactedFields).toEqual([
        ...['authorization', 'x-api-key', 'x-goog-api-key', 'x-svc-api-key', 'cookie'].map((Name) => ({
          SingleHeader: { Name },
        })),
        { QueryString: {} },
      ]);
    }
    for (const template of [all.edge, all.gateway]) {
      Template.fromJSON(template as object).hasResourceProperties('AWS::Logs::LogGroup', {
        LogGroupName: Match.stringLikeRegexp('^aws-waf-logs-'),
        RetentionInDays: 7,
      });
    }
    expect(JSON.stringify(acls)).not.toContain('"SampledRequestsEnabled":true');
    Template.fromJSON(rest.gateway).resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
  });
});
