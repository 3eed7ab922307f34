/** ARNs that end in a model's name: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-use.html */
const NAMED_ARN = /^arn:[^/]*:(?:inference-profile|foundation-model)\//;

/** Whether a model needs its reasoning back with its signature. Claude does; of ARNs without its name the model is not known. */
export function signsReasoning(model: string): boolean {
  return model.includes('anthropic.') || (model.startsWith('arn:') && !NAMED_ARN.test(model));
}

/**
 * Models that take reasoning back without a signature. DeepSeek R1 refuses it, Claude needs the signature:
 * https://github.com/langchain-ai/langchain-aws/pull/1229 and, for MiniMax, https://github.com/maximhq/bifrost/pull/6942
 */
const TAKES_REASONING = /(?:^|[./])(?:deepseek\.v3|minimax\.|openai\.gpt-oss-)/;

export function takesPlainReasoning(model: string): boolean {
  return TAKES_REASONING.test(model);
}
