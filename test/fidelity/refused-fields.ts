import type { Reasons } from './reasons.ts';

/**
 * Fields that the gateway refuses by their names though the provider takes them, each with its reason, by route. A reason that
 * excuses nothing fails the test.
 */
export const REFUSED: Readonly<Record<string, Reasons>> = {};

const PLAIN_REASONING = "plain reasoning of another provider's model, which OpenAI's API refuses";
/** Fields that the gateway leaves out with a warning, since the provider publishes them and refuses them, by route. */
export const LEFT_OUT: Readonly<Record<string, Reasons>> = {
  'POST /v1/responses': { 'input[].content[].text': PLAIN_REASONING },
  'POST /v1/responses/compact': { 'input[].content[].text': PLAIN_REASONING },
  'POST /v1/responses/input_tokens': { 'input[].content[].text': PLAIN_REASONING },
};
