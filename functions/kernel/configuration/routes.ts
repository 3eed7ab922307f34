import * as z from 'zod';

const STATES = ['active', 'disabled'] as const;
/** A disabled route or target gets no requests. */
export type TargetState = (typeof STATES)[number];

const providerName = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be the name of a provider');
const modelName = z.string().min(1).max(256);
const state = z
  .enum(STATES)
  .optional()
  .meta({ label: 'State', description: '`disabled`: gets no requests. Default: `active`.' });

const target = {
  provider: providerName.meta({ label: 'Provider', description: 'Name of the provider.' }),
  model: modelName.optional().meta({
    label: 'Model',
    hint: 'The requested name',
    description: "The model's name there. Default: the requested name.",
  }),
};
const targetLimits = {
  maxConcurrent: z.int().min(1).max(100_000).optional().meta({
    label: 'Most requests at a time',
    hint: 'No limit',
    description:
      'Requests that use this target at the same time, in all processes together. Further ones use the fallbacks.',
  }),
  state,
};
/** How one of several targets is chosen. */
const CHOICES = ['weight', 'latency', 'cost'] as const;
const STICKY = ['session', 'key'] as const;

/** A deployment's routes; the first match decides, and the default routes follow. */
export const routesSchema = z
  .array(
    z.strictObject({
      models: modelName.meta({
        label: 'Models',
        hint: 'An alias such as fast, or a pattern with *',
        description: "Glob over the requested model's name; an alias is a name without `*`.",
      }),
      targets: z
        .array(
          z.strictObject({
            ...target,
            weight: z
              .number()
              .min(0)
              .max(1_000_000)
              .optional()
              .meta({ label: 'Weight', hint: '1', description: 'Default: 1.' }),
            ...targetLimits,
          }),
        )
        .min(1)
        .max(16)
        .refine((targets) => targets.some(({ weight = 1 }) => weight > 0), 'one must have a weight above 0')
        .meta({
          label: 'Targets',
          hint: 'One is chosen for each request.',
          description: 'One is chosen for each request, by `choose`.',
        }),
      fallbacks: z
        .array(z.strictObject({ ...target, ...targetLimits }))
        .max(8)
        .optional()
        .meta({
          label: 'Fallbacks',
          hint: 'Called in this order if the target fails.',
          description: 'Called in order if that one fails.',
        }),
      choose: z
        .enum(CHOICES)
        .optional()
        .meta({
          label: 'Choose a target',
          choiceLabels: { weight: 'By weight', latency: 'The fastest', cost: 'The cheapest' },
          description:
            '`weight` (default): by chance. `latency`: the shortest median time per token of output in the last five minutes; another target takes over when it is 20 % faster, and one request in ten is spread by weight, so that the times stay known. `cost`: the lowest price of three tokens of input and one of output. Targets with weight 0 are left out.',
        }),
      sticky: z
        .enum(STICKY)
        .optional()
        .meta({
          label: 'Keep the target',
          choiceLabels: { '': 'No', session: 'For a session', key: 'For a key' },
          description:
            '`session`: requests of a session (`X-Session-ID`, or else `X-End-User-ID`) keep their target; `key`: those of a key. With `latency` and `cost`, in each process.',
        }),
      attempts: z.int().min(1).max(5).optional().meta({
        label: 'Calls of one target',
        hint: '3',
        description: 'Calls of one target for a request, at most. Default: 3.',
      }),
      timeoutMs: z.int().min(100).max(900_000).optional().meta({
        label: 'Timeout of a call, ms',
        hint: 'That of the deployment',
        description:
          'Milliseconds that a call may wait for the head of its response; then the next target is called. The timeout of the deployment holds too.',
      }),
      state,
    }),
  )
  .max(256)
  .meta({ label: 'Routes' });

interface RouteTarget {
  readonly provider: string;
  readonly model?: string | undefined;
  readonly state?: TargetState | undefined;
  readonly maxConcurrent?: number | undefined;
}

/** A route of the deployment or a standard one. */
export interface RouteEntry {
  readonly models: string;
  readonly targets: readonly (RouteTarget & { readonly weight?: number | undefined })[];
  readonly fallbacks?: readonly RouteTarget[] | undefined;
  readonly choose?: (typeof CHOICES)[number] | undefined;
  readonly sticky?: (typeof STICKY)[number] | undefined;
  readonly attempts?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly state?: TargetState | undefined;
}

/** The content of the document `routes`. */
export interface RoutesDocument {
  readonly routes: readonly RouteEntry[];
}
