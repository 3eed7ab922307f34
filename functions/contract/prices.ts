import * as z from 'zod';
import { modelPricesSchema, setPriceSchema } from '../kernel/configuration/index.ts';
import {
  documentOperations,
  effectiveQuery,
  ifMatch,
  ifMatchRequired,
  ignoredFields,
  versionFields,
} from './documents.ts';
import { defineOperations } from './operation.ts';

const pricesVersionSchema = z
  .object({ object: z.literal('prices'), ...versionFields, prices: modelPricesSchema })
  .meta({ id: 'PricesVersion', description: "The deployment's prices of models, in one of their versions." });

const putPricesSchema = z.strictObject({ prices: modelPricesSchema, ...ignoredFields }).meta({
  id: 'PutPrices',
  description: "The deployment's prices of models, also with the fields of a version that was read.",
});

const { model, ...priceFields } = setPriceSchema.shape;
const shownPrice = z.object(priceFields).partial();
const priceSchema = shownPrice
  .extend({
    object: z.literal('price'),
    model: z.string().meta({ description: '`provider/model`.' }),
    source: z.enum(['settings', 'api', 'table']).meta({
      description:
        '`table`: the built-in table; what it does not know is absent. Its dearer prices of long requests are not shown.',
    }),
    later: z.array(shownPrice).meta({ description: 'Prices that become valid later.' }),
  })
  .meta({ id: 'ModelPriceInForce', description: 'What a model costs now, in US dollars per million tokens.' });

const priceListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(priceSchema),
    version: z.int().min(0).meta({ description: "The version of the deployment's prices; 0: those of the settings." }),
    tableDate: z.string().meta({ description: 'The date of the built-in table.' }),
    isOverridden: z.boolean().meta({
      description: 'Whether the settings (`SVC_MODEL_PRICES`) have other prices, which do not count any more.',
    }),
  })
  .meta({ id: 'ModelPriceList', description: 'All prices in force, by `provider/model`.' });

const price = { input: 0.15, output: 0.6 };
const versionExample = {
  object: 'prices',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  prices: { 'lab/llama': { ...price, changes: [{ input: 0.1, output: 0.4, validFrom: '2027-01-01' }] } },
};
const { oneVersion, ...shared } = documentOperations({
  access: 'operator',
  path: '/v1/admin/prices',
  id: 'Prices',
  title: "the deployment's prices",
  first: 'the prices of the settings',
  version: pricesVersionSchema,
  example: versionExample,
});
const changed = {
  method: 'POST',
  tag: 'Admin',
  access: 'operator',
  scope: 'deployment',
  headers: ifMatch,
  response: oneVersion,
} as const;

/** The deployment's prices of models and their versions. */
export const priceOperations = defineOperations({
  getPrices: {
    method: 'GET',
    path: '/v1/admin/prices',
    tag: 'Admin',
    summary: "Read the deployment's prices",
    description:
      'They replace the prices of the built-in table, model by model. With `effective=true` the response has every known price and its source.',
    access: 'operator',
    scope: 'deployment',
    query: effectiveQuery('`true`: all prices in force, each with its source.'),
    response: { ...oneVersion, body: [pricesVersionSchema, priceListSchema] },
  },
  putPrices: {
    method: 'PUT',
    path: '/v1/admin/prices',
    tag: 'Admin',
    summary: "Replace the deployment's prices",
    description:
      'Creates a new version, which every process of the gateway applies within 10 s; from then on the prices of the settings do not count. Prices that were read can be written back: `object`, `version`, `createdAt` and `createdBy` are ignored.',
    access: 'operator',
    scope: 'deployment',
    headers: ifMatchRequired,
    body: { schema: putPricesSchema, examples: { prices: { value: { prices: { 'lab/llama': price } } } } },
    response: oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  rollbackPrices: shared.rollback,
  listPricesVersions: shared.versions,
  getPricesVersion: shared.version,
  setPrice: {
    ...changed,
    path: '/v1/admin/prices/set',
    summary: 'Set the price of a model',
    description:
      'Creates a new version, which every process of the gateway applies within 10 s. With a `validFrom` in the future, the price in force stays until then.',
    body: {
      schema: setPriceSchema,
      examples: {
        now: { value: { model: 'lab/llama', ...price } },
        later: { value: { model: 'lab/llama', ...price, validFrom: '2027-01-01' } },
      },
    },
    errors: ['conflict', 'version_conflict'],
  },
  removePrice: {
    ...changed,
    path: '/v1/admin/prices/remove',
    summary: 'Remove the price of a model',
    description: 'Creates a new version. The price of the built-in table is in force again, if it has one.',
    body: {
      schema: z.strictObject({ model }).meta({ id: 'RemovePrice' }),
      examples: { model: { value: { model: 'lab/llama' } } },
    },
    errors: ['not_found', 'conflict', 'version_conflict'],
  },
});
