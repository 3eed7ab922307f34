import { describe, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import { REST_API, withSettings } from './front-door-stacks.ts';

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
