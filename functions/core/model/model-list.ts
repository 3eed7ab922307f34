import * as z from 'zod';

export const modelSchema = z
  .object({
    id: z.string().meta({
      description: '`provider/model`, which every route takes; the name alone where the table of routes knows it.',
    }),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Unix seconds; when the table of models was gathered.' }),
    owned_by: z.string().meta({ description: 'The provider.' }),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) }).meta({
  id: 'ModelList',
  description: "As OpenAI's: the models of the providers that are set up, which the key may use.",
});
