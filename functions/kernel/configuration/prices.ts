import * as z from 'zod';

const usd = z.number().min(0).max(100_000);
const factor = z.number().min(0).max(100);
const tokens = z.int().min(1).max(1_000_000_000);

/** The price of a model and its limits; in US dollars per million tokens. */
const fields = {
  input: usd.meta({
    label: 'Input',
    hint: 'US dollars per million tokens.',
    description: 'Input tokens.',
    option: { name: 'input', format: 'number', value: 'USD', help: 'A million input tokens.' },
  }),
  output: usd.meta({
    label: 'Output',
    description: 'Output tokens.',
    option: { name: 'output', format: 'number', value: 'USD', help: 'A million output tokens.' },
  }),
  cachedInput: usd.optional().meta({
    label: 'Cached input',
    description: "Input from the provider's cache. Default: `input`.",
    option: { name: 'cached-input', format: 'number', value: 'USD', help: 'A million tokens from the cache.' },
  }),
  cacheWriteInput: usd.optional().meta({
    label: 'Cache writes',
    description: 'Input that is written to it. Default: `input`.',
    option: { name: 'cache-write-input', format: 'number', value: 'USD', help: 'A million tokens written to it.' },
  }),
  cacheWriteInputHour: usd.optional().meta({
    label: 'Cache writes for an hour',
    description:
      "Input that is kept there for an hour. Default: the provider's multiple of `input`, or `cacheWriteInput`.",
    option: {
      name: 'cache-write-input-hour',
      format: 'number',
      value: 'USD',
      help: 'A million tokens kept for an hour.',
    },
  }),
  inputAudio: usd.optional().meta({
    label: 'Audio input',
    description: 'Input tokens of audio. Default: `input`.',
    option: { name: 'input-audio', format: 'number', value: 'USD', help: 'A million input tokens of audio.' },
  }),
  outputAudio: usd.optional().meta({
    label: 'Audio output',
    description: 'Output tokens of audio. Default: `output`.',
    option: { name: 'output-audio', format: 'number', value: 'USD', help: 'A million output tokens of audio.' },
  }),
  perSearch: usd.optional().meta({
    label: 'Web search',
    hint: 'US dollars for one search.',
    description: "One search of the web. Default: the provider's fee.",
    option: { name: 'per-search', format: 'number', value: 'USD', help: 'One search of the web.' },
  }),
  serviceTiers: z
    .record(z.string().regex(/^[a-z0-9_-]{1,64}$/), factor)
    .optional()
    .meta({
      description: 'Multiples of the prices by the name of a service tier, a speed or an inference region.',
      option: { name: 'service-tiers', format: 'JSON file', value: 'FILE', help: 'Multiples by service tier.' },
    }),
  batchFactor: factor.optional().meta({
    label: 'Factor of batches',
    description: "Multiple of the prices for batches. Default: the provider's.",
    option: { name: 'batch-factor', format: 'number', value: 'FACTOR', help: 'Multiple of the prices for batches.' },
  }),
  contextTokens: tokens.optional().meta({
    label: 'Context',
    hint: 'Tokens.',
    description: 'Tokens of input and output together.',
    option: { name: 'context-tokens', format: 'count', value: 'N', help: 'Tokens of the context.' },
  }),
  maxOutputTokens: tokens.optional().meta({
    label: 'Longest output',
    hint: 'Tokens.',
    description: 'Tokens of the longest response.',
    option: { name: 'max-output-tokens', format: 'count', value: 'N', help: 'Tokens of the longest response.' },
  }),
};

const validFrom = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'must be a time with its zone, or a date in UTC' })
  .meta({ wire: { type: 'string' } });
const validFromIfAny = validFrom.optional().meta({
  label: 'Valid from',
  hint: 'A date in UTC, or a time with its zone. Empty: at once.',
  description: 'Default: at once. Until then the price applies that is in force now.',
  wire: { type: 'string' },
  option: { name: 'valid-from', format: 'text', value: 'TIME', help: 'A date (UTC) or time. Default: now.' },
});
/** The earlier name of `cacheWriteInput`. */
const cacheWrite = usd.optional().meta({ description: 'The earlier name of `cacheWriteInput`.' });

const priceChangeSchema = z
  .strictObject({ ...fields, cacheWrite, validFrom })
  .meta({ id: 'ModelPriceChange', description: 'A whole price, from a time on.' });
const modelPriceSchema = z
  .strictObject({
    ...fields,
    cacheWrite,
    validFrom: validFromIfAny,
    changes: z
      .array(priceChangeSchema)
      .max(12)
      .optional()
      .meta({ description: 'Other prices by time. Of all whose time has come, the newest is in force.' }),
  })
  .meta({ id: 'ModelPrice', description: 'US dollars per million tokens, and the limits of the model.' });
type ModelPrice = z.infer<typeof modelPriceSchema>;
/** A price in US dollars per million tokens. */
export type DatedPrice = Omit<ModelPrice, 'changes'>;

const pricedModel = z.string().regex(/^[a-z0-9_-]{1,32}\/.{1,256}$/, 'must be provider/model');

/** A deployment's prices by `provider/model`. They replace the table's. */
export const modelPricesSchema = z.record(pricedModel, modelPriceSchema).meta({ id: 'ModelPrices' });

/** The price of one model. */
export const setPriceSchema = z
  .strictObject({
    model: pricedModel.meta({ label: 'Model', hint: '`provider/model`', description: '`provider/model`.' }),
    ...fields,
    validFrom: validFromIfAny,
  })
  .meta({ id: 'SetPrice', description: 'The whole price of a model, in US dollars per million tokens.' });

/** The content of the document `prices`. */
export interface PricesDocument {
  readonly prices: z.infer<typeof modelPricesSchema>;
}

/** When a price becomes valid, milliseconds since 1970. */
function startOf({ validFrom: time }: DatedPrice): number {
  return time === undefined ? Number.NEGATIVE_INFINITY : Date.parse(time);
}

/** The price in force at a time, and the later ones in their order. */
export function pricesAt(
  { changes = [], ...first }: ModelPrice,
  nowMs: number,
): { readonly current: DatedPrice | undefined; readonly later: readonly DatedPrice[] } {
  const all = [first, ...changes].sort((a, b) => Math.sign(startOf(a) - startOf(b)) || 0);
  return {
    current: all.findLast((price) => startOf(price) <= nowMs),
    later: all.filter((price) => startOf(price) > nowMs),
  };
}
