import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { all, REST_API, rest } from './front-door-stacks.ts';

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
    template.resourceCountIs('AWS::ApiGateway::Method', 7);
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
    ['v1/approvals', 'AdminApi'],
    ['v1/approvals/{proxy+}', 'AdminApi'],
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
