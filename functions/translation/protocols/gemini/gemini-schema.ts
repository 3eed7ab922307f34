import * as z from 'zod';
import { securityInfoSchema } from '../../../kernel/model/index.ts';

const media = {
  inlineData: z.looseObject({ mimeType: z.string(), data: z.string() }).optional(),
  fileData: z.looseObject({ fileUri: z.string(), mimeType: z.string().optional() }).optional(),
};
/** Media in the result of a function: Google publishes no required members. */
const resultMedia = {
  inlineData: z.looseObject({ mimeType: z.string().optional(), data: z.string().optional() }).optional(),
  fileData: z.looseObject({ fileUri: z.string().optional(), mimeType: z.string().optional() }).optional(),
};

/** A part has one of many kinds; the provider validates those that the gateway does not know. */
const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  ...media,
  functionCall: z
    .looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()).optional(), id: z.string().optional() })
    .optional(),
  functionResponse: z
    .looseObject({
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
      id: z.string().optional(),
      parts: z.array(z.looseObject(resultMedia)).optional(),
    })
    .optional(),
});
export const contentSchema = z.looseObject({ role: z.string().optional(), parts: z.array(part) });

const functionDeclaration = z.looseObject({ name: z.string(), description: z.string().optional() });

/** The fields of a generateContent request that the gateway reads; every other field passes unchanged. */
export const geminiRequestSchema = z
  .looseObject({
    contents: z.array(contentSchema).min(1),
    systemInstruction: z.looseObject({ parts: z.array(part) }).optional(),
    tools: z
      .array(z.looseObject({ functionDeclarations: z.array(functionDeclaration).max(512).optional() }))
      .optional(),
    toolConfig: z
      .looseObject({
        functionCallingConfig: z
          .looseObject({ mode: z.string().optional(), allowedFunctionNames: z.array(z.string()).optional() })
          .optional(),
      })
      .optional(),
    generationConfig: z
      .looseObject({
        temperature: z.number().min(0).max(2).optional(),
        topP: z.number().min(0).max(1).optional(),
        candidateCount: z.int().min(1).max(8).optional(),
        maxOutputTokens: z.int().min(1).optional(),
        stopSequences: z.array(z.string()).max(16).optional(),
      })
      .optional(),
  })
  .meta({ id: 'GenerateContentRequest', description: 'As Google documents it; fields not listed here are passed on.' });

export type GeminiRequest = z.infer<typeof geminiRequestSchema>;
export type GeminiContent = GeminiRequest['contents'][number];
/** A part with whole media, if it has media. */
export const mediaPartSchema = z.looseObject(media);
export type GeminiPart = GeminiContent['parts'][number];

const count = z.int().min(0).optional();

/** A generateContent response: a whole response and a chunk of a stream have the same form. */
export const geminiResponseSchema = z
  .looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z
            .looseObject({ parts: z.array(z.looseObject({})).optional(), role: z.string().optional() })
            .optional(),
          finishReason: z.string().optional(),
          index: z.int().optional(),
        }),
      )
      .optional(),
    usageMetadata: z
      .looseObject({ promptTokenCount: count, candidatesTokenCount: count, totalTokenCount: count })
      .optional(),
    modelVersion: z.string().optional(),
    responseId: z.string().optional(),
    svc: securityInfoSchema.optional().meta({ description: 'In whole responses, and in the last chunk of a stream.' }),
  })
  .meta({ id: 'GenerateContentResponse', description: 'As Google documents it.' });
