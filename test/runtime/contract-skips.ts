import type { Skips } from '../contract/service.ts';
import { HOME } from './deployment.ts';

/** What a function URL in front of one instance cannot be tested for. */
const FUNCTION_URL_SKIPS: Skips = {
  'raw requests': 'a function URL answers broken HTTP itself',
  'raw bytes in a body': 'a function URL makes text of the body first',
  'its own size limit': "the platform's 413 comes first",
  'requests at once': 'a function instance takes one request after another, and there is one here',
  'client disconnects': 'a function is not told that its caller left',
};

/** What a Web Function, or a container behind a load balancer, cannot be tested for. */
export const WEB_FUNCTION_SKIPS: Skips = { 'raw requests': 'the endpoint answers broken HTTP itself' };

export const RUNTIME_SKIPS = HOME === 'function-url' ? FUNCTION_URL_SKIPS : WEB_FUNCTION_SKIPS;
