import type { Settings } from '../../lib/settings/settings.ts';
import { PLAIN, synthesize } from './synthesize.ts';

const ZONE = { hostedZoneId: 'Z0123456789EXAMPLE', zoneName: 'example.com' };
const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1234abcd-12ab`;
export const DOMAIN = { name: 'ai.example.com', certificateArn: certificateIn('us-east-1') };
export const REST_API = {
  domain: { name: 'api.example.com', certificateArn: certificateIn('eu-central-1'), ...ZONE },
  throttle: { requestsPerSecond: 50, burst: 100 },
  allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
  accessLogs: true,
};

export const withSettings = (more: Partial<Settings>) => synthesize({ ...PLAIN, ...more });
export const alone = withSettings({ distribution: true });
export const all = withSettings({
  distribution: { logBucket: 'our-logs' },
  domain: { name: 'ai.example.com', ...ZONE },
  onlyThroughDistribution: true,
  restApi: REST_API,
  waf: { rateLimit: 500, logs: true },
});
export const rest = withSettings({ restApi: true, waf: true });
