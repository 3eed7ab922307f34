/** ARNs that end in a model's name: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-use.html */
const NAMED_ARN = /^arn:[^/]*:(?:inference-profile|foundation-model)\//;

/** Whether the reasoning of a model has no signature. Claude signs its own; of other ARNs the model is not known before the end of a block. */
export function writesPlainReasoning(model: string): boolean {
  return !model.includes('anthropic.') && (!model.startsWith('arn:') || NAMED_ARN.test(model));
}

/**
 * Models that take reasoning back without a signature. DeepSeek R1 refuses it, Claude needs the signature:
 * https://github.com/langchain-ai/langchain-aws/pull/1229 and, for MiniMax, https://github.com/maximhq/bifrost/pull/6942
 */
const TAKES_REASONING = /(?:^|[./])(?:deepseek\.v3|minimax\.|openai\.gpt-oss-)/;

export function takesPlainReasoning(model: string): boolean {
  return TAKES_REASONING.test(model);
}
