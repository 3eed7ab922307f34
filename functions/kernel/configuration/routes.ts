import * as z from 'zod';

const STATES = ['active', 'disabled'] as const;
/** A disabled route or target gets no requests. */
export type TargetState = (typeof STATES)[number];

const providerName = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be the name of a provider');
const modelName = z.string().min(1).max(256);
const state = z.enum(STATES).optional().meta({ description: '`disabled`: gets no requests. Default: `active`.' });

const targetFields = {
  provider: providerName.meta({ description: 'Name of the provider.' }),
  model: modelName.optional().meta({ description: "The model's name there. Default: the requested name." }),
  state,
};

/** A deployment's routes; the first match decides, and the default routes follow. */
export const routesSchema = z
  .array(
    z.strictObject({
      models: modelName.meta({
        description: "Glob over the requested model's name; an alias is a name without `*`.",
      }),
      targets: z
        .array(
          z.strictObject({
            ...targetFields,
            weight: z.number().min(0).max(1_000_000).optional().meta({ description: 'Default: 1.' }),
          }),
        )
        .min(1)
        .max(16)
        .refine((targets) => targets.some(({ weight = 1 }) => weight > 0), 'one must have a weight above 0')
        .meta({ description: 'One is chosen for each request, by weight.' }),
      fallbacks: z
        .array(z.strictObject(targetFields))
        .max(8)
        .optional()
        .meta({ description: 'Called in order if that one fails.' }),
      state,
    }),
  )
  .max(256);

interface RouteTarget {
  readonly provider: string;
  readonly model?: string | undefined;
  readonly state?: TargetState | undefined;
}

/** A route of the deployment or a standard one. */
export interface RouteEntry {
  readonly models: string;
  readonly targets: readonly (RouteTarget & { readonly weight?: number | undefined })[];
  readonly fallbacks?: readonly RouteTarget[] | undefined;
  readonly state?: TargetState | undefined;
}

/** The content of the document `routes`. */
export interface RoutesDocument {
  readonly routes: readonly RouteEntry[];
}
