import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dashboardFile, isDashboardPath, PAGE_ADDRESS_CODE } from './dashboard-site.ts';

interface Request {
  uri: string;
  readonly method: string;
}
const handler: (event: { request: Request }) => Request = runInNewContext(`${PAGE_ADDRESS_CODE};handler`);
const asked = (uri: string) => handler({ request: { uri, method: 'GET' } });

test.each([
  ['/', '/index.html'],
  ['/dashboard', '/index.html'],
  ['/dashboard/', '/index.html'],
  ['/dashboard/keys', '/index.html'],
  ['/dashboard/keys/key_1', '/index.html'],
  ['/dashboard/end-users/anna@example.com', '/index.html'],
  ['/dashboard/sessions/assets/x.js', '/index.html'],
  ['/dashboard/assets/index-1a2b.js', '/assets/index-1a2b.js'],
  ['/dashboard/icon.svg', '/icon.svg'],
  ['/dashboard/index.html', '/index.html'],
])('%s is served by the file %s', (uri, file) => expect(asked(uri)).toEqual({ uri: file, method: 'GET' }));

test('every path has the same file in the distribution and locally', () => {
  const segment = fc.stringMatching(/^[\w.@%-]{0,12}$/);
  const address = fc
    .array(fc.oneof(segment, fc.constant('assets')), { maxLength: 4 })
    .map((parts) => ['/dashboard', ...parts].join('/'));
  fc.assert(
    fc.property(address, (uri) => expect(asked(uri).uri).toBe(dashboardFile(uri))),
    { numRuns: 1_000 },
  );
});

test('only / and what is below /dashboard is the dashboard', () => {
  const paths = [
    '/',
    '/dashboard',
    '/dashboard/',
    '/dashboard/keys',
    '/dashboards',
    '/keys',
    '/Dashboard',
    '/v1/dashboard',
    '//',
    '',
  ];
  expect(paths.filter(isDashboardPath)).toEqual(['/', '/dashboard', '/dashboard/', '/dashboard/keys']);
});
