import * as z from 'zod';
import { securityInfoSchema } from '../openai-chat/chat-response.ts';

const tokenUsage = z.looseObject({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  total_tokens: z.int().min(0),
});

export const imagesSchema = z
  .looseObject({
    created: z.int().meta({ description: 'Unix seconds.' }),
    data: z
      .array(
        z.looseObject({
          b64_json: z.string().optional(),
          url: z.string().optional(),
          revised_prompt: z.string().optional(),
        }),
      )
      .meta({ description: 'Empty where the policy blocked how the model revised the prompt.' }),
    usage: tokenUsage.optional(),
    svc: securityInfoSchema,
  })
  .meta({ id: 'Images', description: 'Pictures, by their data or their address.' });

export const imageEventSchema = z
  .looseObject({
    type: z.enum(['image_generation.partial_image', 'image_generation.completed', 'error']),
    b64_json: z.string().optional(),
    partial_image_index: z.int().min(0).optional(),
    usage: tokenUsage.optional(),
    svc: securityInfoSchema.optional().meta({ description: 'In the event that completes an image.' }),
  })
  .meta({ id: 'ImageEvent', description: 'The data of one event of a stream of images.' });
