/**
 * What providers charge besides input and output at their list prices. Each row has its source. A charge without a row is unknown: records name
 * it in `unknownCharges`.
 */
export interface ProviderCharges {
  /** Cache writes that are kept for an hour, as a multiple of the input price. */
  readonly cacheWriteHourFactor?: number;
  /** US dollars for one search of the web. */
  readonly perSearch?: number;
  /** All searches of a request by one tool have the fee once. */
  readonly paysSearchOnce?: true;
  /** One search by a tool with another fee: OpenAI's preview tool for models that do not reason, Google Maps. */
  readonly perOtherSearch?: number;
  /** US dollars for the search that each request makes, at most: only a reported cost has the exact fee. */
  readonly perRequestAtMost?: number;
  /** Multiples of all token prices by the name of a service tier, a speed or an inference region. */
  readonly factors?: Readonly<Record<string, number>>;
  /** Whether responses say what the request costs. */
  readonly reportsCost?: true;
}

interface Row extends ProviderCharges {
  readonly provider: string;
  /** Models that the row is about; all of the provider if absent. A later row of a model replaces what it names. */
  readonly models?: RegExp;
  readonly source: string;
  /** The day on which the source was read. */
  readonly read: string;
}

const READ = '2026-11-28';

export const CHARGES: readonly Row[] = [
  {
    provider: 'anthropic',
    cacheWriteHourFactor: 2,
    perSearch: 0.01,
    factors: { standard: 1, standard_only: 1, batch: 0.5 },
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    read: READ,
  },
  {
    provider: 'anthropic',
    models: /^claude-(?:(?:fable|mythos)-5-2|opus-(?:4-8|5|5-5))(?:-\d{8})?$/,
    factors: { fast: 2 },
    source: 'https://platform.claude.com/docs/en/build-with-claude/fast-mode',
    read: READ,
  },
  {
    provider: 'anthropic',
    // Opus 4.6 and later models.
    models: /^claude-(?:opus-4-[6-9]|sonnet-4-[6-9]|(?:fable|haiku|opus|sonnet)-[5-9])/,
    factors: { us: 1.1 },
    source: 'https://platform.claude.com/docs/en/manage-claude/data-residency.md',
    read: READ,
  },
  {
    provider: 'openai',
    perSearch: 0.01,
    factors: { flex: 0.5, batch: 0.5 },
    source: 'https://developers.openai.com/api/docs/pricing',
    read: READ,
  },
  {
    provider: 'openai',
    models: /^(?:gpt-4o|gpt-4\.1)/,
    perOtherSearch: 0.025,
    source: 'https://community.openai.com/t/search-web-using-openai-api/1363698 (a quotation of the pricing page)',
    read: READ,
  },
  ...fastMode(/^gpt-5(?:\.[12])?$/, 2),
  ...fastMode(/^gpt-5(?:\.1)?-codex$/, 2),
  ...fastMode(/^gpt-5\.4(?:-mini)?$/, 2),
  ...fastMode(/^gpt-5\.6-(?:luna|sol|terra)$/, 2),
  ...fastMode(/^gpt-5\.5$/, 2.5),
  ...fastMode(/^gpt-5-mini$/, 1.8),
  ...fastMode(/^gpt-4\.1(?:-mini)?$/, 1.75),
  ...fastMode(/^gpt-4\.1-nano$/, 2),
  ...fastMode(/^gpt-4o(?:-2024-(?:08-06|11-20))?$/, 1.7),
  ...fastMode(/^gpt-4o-2024-05-13$/, 1.75),
  // 0.25 for 0.15 dollars of input, 1.00 for 0.60 of output.
  ...fastMode(/^gpt-4o-mini$/, 1.666_667),
  ...fastMode(/^o3$/, 1.75),
  // 2.00 for 1.10 dollars of input, 8.00 for 4.40 of output.
  ...fastMode(/^o4-mini$/, 1.818_182),
  {
    provider: 'gemini',
    // Per query; the free ones of an account are not subtracted.
    perSearch: 0.014,
    factors: { flex: 0.5 },
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    read: READ,
  },
  {
    provider: 'gemini',
    models: /^gemini-[12]\./,
    // Per grounded prompt, with Google Search and with Google Maps.
    perSearch: 0.035,
    perOtherSearch: 0.025,
    paysSearchOnce: true,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    read: READ,
  },
  {
    provider: 'bedrock',
    models: /anthropic\./,
    cacheWriteHourFactor: 2,
    // The page draws its prices in the browser; of tiers it says only premium and discount: https://aws.amazon.com/bedrock/service-tiers
    source: 'https://aws.amazon.com/bedrock/pricing, as in @pydantic/genai-prices 0.1.8',
    read: READ,
  },
  {
    provider: 'xai',
    // The premium of its tier `priority` is on no page that was read: the reported cost has it.
    perSearch: 0.005,
    reportsCost: true,
    source: 'https://docs.x.ai/developers/pricing.md, https://docs.x.ai/developers/cost-tracking.md',
    read: READ,
  },
  {
    provider: 'openrouter',
    reportsCost: true,
    source: 'https://openrouter.ai/docs/use-cases/usage-accounting',
    read: READ,
  },
  {
    provider: 'perplexity',
    // By model and size of the search context: 0.005 to 0.022.
    perRequestAtMost: 0.022,
    reportsCost: true,
    source:
      'https://docs.perplexity.ai/api-reference/chat-completions-post, https://token-plan.pages.dev/en/perplexity-token-api/ (a quotation of the pricing page)',
    read: READ,
  },
];

/** OpenAI's priority processing, which it renamed; both names are accepted. The prices are divided by the list prices of that day. */
function fastMode(models: RegExp, factor: number): Row[] {
  const source = 'https://openai.com/api-fast-mode/, https://openai.com/api-priority-processing/';
  return [{ provider: 'openai', models, factors: { priority: factor, fast: factor }, source, read: READ }];
}

/** Terms that cost the list price at every provider. */
const AT_LIST_PRICE = ['', 'auto', 'default', 'standard', 'on_demand', 'global', 'not_available'];

export type ModelCharges = ProviderCharges & Required<Pick<ProviderCharges, 'factors'>>;

/** The charges of a model by its names, such as a version and what it is a version of; of several rows, the last that names a charge. */
export function chargesOf(provider: string, names: readonly string[]): ModelCharges {
  const isAbout = ({ models }: Row) => models === undefined || names.some((name) => models.test(name));
  const rows = CHARGES.filter((row) => row.provider === provider && isAbout(row));
  const { provider: _, models: __, source: ___, read: ____, ...charges } = Object.assign({}, ...rows) as Row;
  const factors = Object.assign(
    Object.fromEntries(AT_LIST_PRICE.map((one) => [one, 1])),
    ...rows.map((row) => row.factors),
  );
  return { ...charges, factors };
}
