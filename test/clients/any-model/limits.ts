import type { Target } from './client.ts';

/** Features that do not work, with the reason for the table. */
export interface Limit {
  readonly clients: RegExp;
  readonly targets: readonly Target[];
  readonly features: readonly string[];
  readonly reason: string;
  /** The error that the caller gets. */
  readonly error: RegExp;
}

const OTHERS: readonly Target[] = ['Anthropic', 'Google', 'Bedrock'];

export const LIMITS: readonly Limit[] = [
  {
    clients: /^LangChain ChatOpenAI/,
    targets: OTHERS,
    features: ['reasoning'],
    reason: "it sends `reasoning` only for names of OpenAI's models",
    error: /Expected pattern:/,
  },
  {
    clients: /^LangChain ChatAnthropic/,
    targets: ['OpenAI', 'Google', 'Bedrock'],
    features: ['streamed usage'],
    reason: 'it takes input tokens from the start of a stream, where other providers have not reported them: 0',
    error: /-\s+"input": 31,\n.*"input": 0,/,
  },
  {
    clients: /^LangChain ChatAnthropic/,
    targets: ['Anthropic'],
    features: ['streamed usage'],
    reason: 'it adds the output tokens at the start of a stream to those at its end',
    error: /"output": 8,/,
  },
];
