import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dashboardFile, PAGE_ADDRESS_CODE } from './dashboard-site.ts';

interface Request {
  uri: string;
  readonly method: string;
}
const handler: (event: { request: Request }) => Request = runInNewContext(`${PAGE_ADDRESS_CODE};handler`);
const asked = (uri: string) => handler({ request: { uri, method: 'GET' } });

test.each([
  ['/', '/index.html'],
  ['/keys', '/index.html'],
  ['/keys/key_1', '/index.html'],
  ['/end-users/anna@example.com', '/index.html'],
  ['/sessions/assets/x.js', '/index.html'],
  ['/assets/index-1a2b.js', '/assets/index-1a2b.js'],
  ['/favicon.svg', '/favicon.svg'],
  ['/index.html', '/index.html'],
])('%s is served by the file %s', (uri, file) => expect(asked(uri)).toEqual({ uri: file, method: 'GET' }));

test('every path has the same file in the distribution and locally', () => {
  const segment = fc.stringMatching(/^[\w.@%-]{0,12}$/);
  const address = fc
    .array(fc.oneof(segment, fc.constant('assets')), { maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(address, (uri) => expect(asked(uri).uri).toBe(dashboardFile(uri))),
    { numRuns: 1_000 },
  );
});
