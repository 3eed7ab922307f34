import { expect, it } from '@jest/globals';
import { GatewayError, StoreUnavailable, toGatewayError } from './errors.ts';

it('a store that fails is a 503 that a client may retry after a second', () => {
  const { status, code, headers, message } = toGatewayError(new StoreUnavailable('limits: timeout'));
  expect({ status, code, headers }).toEqual({ status: 503, code: 'unavailable', headers: { 'retry-after': '1' } });
  expect(message).not.toContain('limits');
});

it('an unexpected error is a 500 whose message says nothing of it', () => {
  const { status, code, message } = toGatewayError(new TypeError('secret of the caller'));
  expect({ status, code, message }).toEqual({
    status: 500,
    code: 'internal_error',
    message: 'An internal error occurred.',
  });
});

it('an error of the gateway is returned unchanged', () => {
  const error = new GatewayError('not_found', 'No such key.');
  expect(toGatewayError(error)).toBe(error);
});
