import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { VIEWER_ADDRESS_CODE } from '../../lib/constructs/distribution.ts';
import { DASHBOARD_HEADERS } from '../../lib/dashboard-site.ts';
import { all, alone, DOMAIN, rest, withSettings } from './front-door-stacks.ts';
import { PLAIN, validate } from './synthesize.ts';

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
      ...['/v1/analytics/*', '/v1/approvals', '/v1/approvals/*'].map((path) => [path, 'AdminApi']),
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
    expect([ofApi.length, apiOrigins.length]).toEqual([5, 2]);
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
    const { gateway, findings } = validate({ ...PLAIN, distribution: true }, undefined, { dashboard: undefined });
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
