import * as z from 'zod';

/**
 * Requests of Converse, by AWS's model: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html. Objects are
 * strict, so that no member passes unread.
 */
const cachePoint = z.strictObject({ type: z.literal('default'), ttl: z.enum(['5m', '1h']).optional() });
const citations = z.strictObject({ enabled: z.boolean() });
/** The bytes of a file in base64. Files in S3 are not read. */
const bytes = z.strictObject({ bytes: z.string() }, { error: 'must have bytes: files in S3 are not read' });
const image = z.strictObject({ format: z.enum(['png', 'jpeg', 'gif', 'webp']), source: bytes });
const document = z.strictObject({
  format: z.enum(['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md']).optional(),
  name: z.string(),
  source: z.union(
    [
      bytes,
      z.strictObject({ text: z.string() }),
      z.strictObject({ content: z.array(z.strictObject({ text: z.string() })) }),
    ],
    { error: 'must have bytes, text or content: files in S3 are not read' },
  ),
  context: z.string().optional(),
  citations: citations.optional(),
});
const searchResult = z.strictObject({
  source: z.string(),
  title: z.string(),
  content: z.array(z.strictObject({ text: z.string() })),
  citations: citations.optional(),
});
const toolUse = z.strictObject({
  toolUseId: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const resultContent = oneOf({ json: z.unknown(), text: z.string(), image, document, searchResult });
const toolResult = z.strictObject({
  toolUseId: z.string(),
  content: z.array(resultContent),
  status: z.enum(['success', 'error']).optional(),
});
const guardContent = oneOf({
  text: z.strictObject({ text: z.string(), qualifiers: z.array(z.string()).optional() }),
  image,
});
const reasoningContent = oneOf({
  reasoningText: z.strictObject({ text: z.string(), signature: z.string().optional() }),
  redactedContent: z.string(),
});
/** As a response has it; what was cited is not sent back to the model. */
const citationsContent = z.strictObject({
  content: z.array(z.strictObject({ text: z.string() })),
  citations: z.array(z.unknown()).optional(),
});

const blockMembers = {
  text: z.string(),
  image,
  document,
  searchResult,
  toolUse,
  toolResult,
  guardContent,
  cachePoint,
  reasoningContent,
  citationsContent,
};
const block = oneOf(blockMembers);
const systemBlock = oneOf({ text: z.string(), guardContent, cachePoint });
const tool = oneOf({
  toolSpec: z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    inputSchema: z.strictObject({ json: z.record(z.string(), z.unknown()) }),
    strict: z.boolean().optional(),
  }),
  cachePoint,
});
const toolChoice = oneOf({
  auto: z.strictObject({}),
  any: z.strictObject({}),
  tool: z.strictObject({ name: z.string() }),
});
const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(block) });
const toolConfig = z.strictObject({ tools: z.array(tool), toolChoice: toolChoice.optional() });
const outputConfig = z.strictObject({
  textFormat: z
    .strictObject({
      type: z.literal('json_schema'),
      structure: z.strictObject({
        jsonSchema: z.strictObject({
          schema: z.string(),
          name: z.string().optional(),
          description: z.string().optional(),
        }),
      }),
    })
    .optional(),
  effort: z.string().optional(),
});

export const converseRequestSchema = z
  .strictObject({
    messages: z.array(message).min(1),
    system: z.array(systemBlock).optional(),
    inferenceConfig: z
      .strictObject({
        maxTokens: z.int().min(1).optional(),
        temperature: z.number().min(0).max(1).optional(),
        topP: z.number().min(0).max(1).optional(),
        stopSequences: z.array(z.string()).optional(),
      })
      .optional(),
    toolConfig: toolConfig.optional(),
    outputConfig: outputConfig.optional(),
    additionalModelRequestFields: z.record(z.string(), z.unknown()).optional(),
    additionalModelResponseFieldPaths: z.array(z.string()).optional(),
    guardrailConfig: z.looseObject({}).optional(),
    promptVariables: z.looseObject({}).optional(),
    requestMetadata: z.record(z.string(), z.string()).optional(),
    performanceConfig: z.strictObject({ latency: z.enum(['standard', 'optimized']).optional() }).optional(),
    serviceTier: z.strictObject({ type: z.string() }).optional(),
  })
  .meta({ id: 'ConverseRequest', description: 'As Amazon Bedrock documents it; other fields are refused.' });

const list = z.array(z.unknown());

/** The parts of a request that are checked one after another: each has lists in place of the parts below it. */
export const CONVERSE_PARTS = {
  body: converseRequestSchema.extend({
    messages: list.min(1),
    system: list.optional(),
    toolConfig: toolConfig.extend({ tools: list }).optional(),
  }),
  message: message.extend({ content: list }),
  block: oneOf({ ...blockMembers, toolResult: toolResult.extend({ content: list }) }),
  resultContent,
  systemBlock,
  tool,
};

export type ConverseBody = z.infer<typeof converseRequestSchema>;
export type ConverseContent = z.infer<typeof block>;
export type ResultContent = z.infer<typeof resultContent>;
export type GuardContent = z.infer<typeof guardContent>;
export type ConverseImage = z.infer<typeof image>;
export type ConverseDocument = z.infer<typeof document>;
export type ConverseSearchResult = z.infer<typeof searchResult>;

/** An object with exactly one of these members. */
function oneOf<Shape extends z.ZodRawShape>(members: Shape) {
  const names = Object.keys(members).join(', ');
  return z
    .strictObject(members)
    .partial()
    .refine((value) => Object.values(value).filter((member) => member !== undefined).length === 1, {
      error: `must have one of ${names}`,
    });
}

const count = z.int().min(0);
const usage = z.looseObject({ inputTokens: count, outputTokens: count, totalTokens: count });

export const converseResponseSchema = z
  .looseObject({
    output: z.looseObject({
      message: z.looseObject({ role: z.literal('assistant'), content: z.array(z.looseObject({})) }),
    }),
    stopReason: z.string().meta({ description: '`guardrail_intervened` if the gateway cut the response.' }),
    usage,
    metrics: z.looseObject({ latencyMs: count }),
    additionalModelResponseFields: z
      .looseObject({})
      .optional()
      .meta({ description: 'Has `svc`: SDKs drop members that they do not know.' }),
  })
  .meta({ id: 'ConverseResponse', description: 'A response of Converse.' });

export const bedrockErrorSchema = z
  .looseObject({
    __type: z.string().meta({ description: 'As in the header `x-amzn-errortype`.' }),
    message: z.string(),
    code: z.string().optional().meta({ description: "The gateway's error code." }),
    param: z.string().optional(),
    details: z.looseObject({}).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'BedrockError', description: "An error in Bedrock's format, with the gateway's fields." });
