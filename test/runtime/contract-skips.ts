import type { Skips } from '../contract/service.ts';

/** What a function URL in front of one instance cannot be tested for. */
export const RUNTIME_SKIPS: Skips = {
  'raw requests': 'a function URL answers broken HTTP itself',
  'raw bytes in a body': 'a function URL makes text of the body first',
  'its own size limit': "the platform's 413 comes first",
  'requests at once': 'a function instance takes one request after another, and there is one here',
  'client disconnects': 'a function is not told that its caller left',
};
