import * as z from 'zod';
import { modelPricesSchema, routesSchema } from '../kernel/configuration/index.ts';
import { issuersSchema } from '../kernel/identity/index.ts';
import { checkRoutes } from '../translation/index.ts';
import { flag, json, type Setting } from './env.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html; only ARNs contain `/`. */
const bedrockModel = z
  .string()
  .regex(
    /^(?:[\w.:*-]{1,256}|arn:aws(?:-[a-z]+)*:bedrock:[a-z0-9*-]{1,20}:(?:\d{12})?:[a-z-]{1,64}\/[\w.:*/-]{1,256})$/,
    'must be the id or the ARN of a model or an inference profile',
  );

// Settings of the gateway that the admin API reads too. Other functions do not need the table of models.

export const echo = {
  variable: 'SVC_ECHO',
  ...flag(undefined),
  local: false,
  default: 'off in Production, on elsewhere',
  example: true,
  description: 'Enables the model `echo`, which responds without a provider',
} as const satisfies Setting;

export const bedrock = {
  variable: 'SVC_BEDROCK',
  ...flag(true),
  local: false,
  inStage: () => z.array(bedrockModel).max(32),
  path: 'bedrock.models',
  isRequired: true,
  toText: (models: readonly string[]) => String(models.length > 0),
  default: 'all of this region and account',
  example: ['amazon.nova-pro-v1:0', 'eu.anthropic.*'],
  description:
    'Models of [Amazon Bedrock](providers.md#amazon-bedrock) that the gateway may call with its role: ids of models and inference profiles, or ARNs, where `*` matches any characters. None: `[]`; in the variable `false`',
} as const satisfies Setting;

export const modelPrices = {
  variable: 'SVC_MODEL_PRICES',
  ...json(modelPricesSchema, '{}'),
  example: { 'openai/llama-at-home': { input: 0, output: 0 } },
  description:
    '[Prices and limits of models](providers.md#set-prices) that override the built-in table, in US dollars per million tokens: JSON in the variable. All variables of a function together have 4 KB',
} as const satisfies Setting;

export const routes = {
  variable: 'SVC_ROUTES',
  ...json(
    routesSchema.superRefine((all, context) => checkRoutes(all, context)),
    '[]',
  ),
  example: [
    {
      models: 'fast',
      targets: [{ provider: 'openai', model: 'gpt-6-luna' }],
      fallbacks: [{ provider: 'anthropic' }],
    },
  ],
  description:
    '[Aliases, weighted targets and fallbacks](providers.md#define-routes-and-fallbacks), before the standard routes: JSON in the variable',
} as const satisfies Setting;

export const identity = {
  variable: 'SVC_IDENTITY',
  ...json(z.strictObject({ issuers: issuersSchema }), '{"issuers":[]}'),
  example: {
    issuers: [{ issuer: 'https://login.example.com', audience: ['svc'], algorithms: ['RS256'], rules: [] }],
  },
  description:
    '[Issuers whose tokens are accepted in place of keys](keys.md#identities-instead-of-keys), and what their callers may do: JSON in the variable',
} as const satisfies Setting;
