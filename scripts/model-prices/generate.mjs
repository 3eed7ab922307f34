/**
 * Writes functions/translation/routing/models.generated.json, the list prices and limits of the providers' models:
 * npm ci --ignore-scripts --prefix scripts/model-prices && node scripts/model-prices/generate.mjs
 *
 * The catalogue of @earendil-works/pi-ai (from models.dev and the providers' lists) takes precedence.
 * @pydantic/genai-prices adds older models and embeddings; it has no output limits. To update: raise the versions in
 * package.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProvider } from '@pydantic/genai-prices';

const HERE = import.meta.dirname;
const OUT = path.join(HERE, '../../functions/translation/routing/models.generated.json');
const CATALOGUE = path.join(HERE, 'node_modules/@earendil-works/pi-ai/dist/providers/data');
/** Our name of each provider, and its names in the two sources. */
const PROVIDERS = {
  openai: ['openai', 'openai'],
  anthropic: ['anthropic', 'anthropic'],
  gemini: ['google'],
  azure: ['azure'],
  bedrock: ['amazon-bedrock'],
  mistral: ['mistral'],
  cohere: [undefined, 'cohere'],
  groq: ['groq'],
  deepseek: ['deepseek'],
  xai: ['xai'],
  together: ['together'],
  fireworks: ['fireworks'],
  perplexity: [undefined, 'perplexity'],
  cerebras: ['cerebras'],
  moonshot: ['moonshotai'],
  minimax: ['minimax'],
  zai: ['zai'],
  cloudflare: ['cloudflare-workers-ai'],
};
/** Excluded: APIs that are not served, and tokens of images, whose prices the table does not have; `ft:` is a prefix. */
const NOT_TEXT = /audio-preview|realtime|tts|transcribe|image|ft:|ft-/;

/** Providers whose higher price begins at the number itself: https://docs.x.ai/developers/pricing, "Long context ≥ 200k tokens". */
const FROM = new Set(['xai']);

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** [input, output, cached input, cache write, context, longest output, tiers]: US dollars per million tokens, and tokens. */
function catalogueRows(name) {
  if (name === undefined) return [];
  const models = Object.values(json(path.join(CATALOGUE, `${name}.json`))).flatMap((group) => Object.values(group));
  return models
    .filter(({ type, cost }) => type === 'chat' && cost.input + cost.output > 0)
    .map(({ id, cost, contextWindow, maxTokens }) => {
      const tiers = cost.tiers?.map((tier) => [tier.inputTokensAbove - (FROM.has(name) ? 1 : 0), ...prices(tier)]);
      return [id, [...prices(cost), contextWindow ?? null, maxTokens ?? null, ...(tiers ? [tiers] : [])]];
    });
}

/** A cache price of 0 means that there is none: cached tokens have the normal price. */
function prices({ input, output, cacheRead, cacheWrite }) {
  return [input, output, cacheRead || null, cacheWrite || null];
}

function olderRows(name) {
  if (name === undefined) return [];
  const { models = [] } = findProvider({ providerId: name }) ?? {};
  return models.flatMap(({ id, match, prices: price, context_window: context }) => {
    const { input_mtok: input, output_mtok: output = 0, cache_read_mtok: read, cache_write_mtok: write } = price;
    // Prices that depend on the date or the length are omitted here.
    if (typeof input !== 'number' || typeof output !== 'number') return [];
    if ([read, write].some((part) => part !== undefined && typeof part !== 'number')) return [];
    const row = [input, output, read || null, write || null, context ?? null, null];
    return namesOf({ id, match })
      .filter((each) => !NOT_TEXT.test(each))
      .map((each) => [each, row]);
  });
}

function namesOf({ id, match }) {
  return [id, ...(match.or ?? [match]).flatMap((one) => (one.equals ? [one.equals] : []))];
}

/**
 * Prices of audio by model, [input, output]. Google's models without one charge for audio what they do for text
 * (https://ai.google.dev/gemini-api/docs/pricing).
 */
function audioRows(name, isOneInput) {
  const { models = [] } = findProvider({ providerId: name }) ?? {};
  return models.flatMap(({ id, match, prices: price }) => {
    const { input_mtok: input, input_audio_mtok: heard, output_audio_mtok: spoken = null } = price;
    const text = typeof input === 'object' ? input.base : input;
    const read = heard ?? (isOneInput ? text : undefined);
    return typeof read === 'number' ? namesOf({ id, match }).map((each) => [each, [read, spoken]]) : [];
  });
}

const models = {};
/** Prices of audio. */
const audio = {};
/** Names that only the source of older models has (retired models, and names of other platforms), and models that have ended. They have a price and are not listed. */
const notListed = {};
const date = json(path.join(CATALOGUE, '.manifest.json')).generatedAt.slice(0, 10);
const { models: ends } = json(path.join(HERE, 'retirements.json'));
for (const [provider, [inCatalogue, inOlder]] of Object.entries(PROVIDERS)) {
  const current = new Map(catalogueRows(inCatalogue));
  const rows = new Map([...olderRows(inOlder), ...current]);
  const hasEnded = (id) => ends[id] !== undefined && ends[id] <= date;
  const older = [...rows.keys()].filter((id) => (current.size > 0 && !current.has(id)) || hasEnded(id)).sort();
  if (older.length > 0) notListed[provider] = older;
  models[provider] = Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
  const heard = audioRows(inOlder ?? inCatalogue, provider === 'gemini').filter(([id]) => rows.has(id));
  if (heard.length > 0) audio[provider] = Object.fromEntries(heard);
}
// At the location `global` Vertex AI has Google's and Anthropic's own prices; regions cost more:
// https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai. Its dated names of Claude have an @.
const atVertex = [
  ...catalogueRows('google-vertex').map(([id, row]) => [id, models.gemini[id] ?? row]),
  ...catalogueRows('anthropic')
    .filter(([id]) => !(ends[id] <= date))
    .map(([id, row]) => [id.replace(/-(\d{8})$/, '@$1'), row]),
];
models.vertex = Object.fromEntries(atVertex.sort(([a], [b]) => (a < b ? -1 : 1)));
audio.vertex = Object.fromEntries(Object.entries(audio.gemini).filter(([id]) => models.vertex[id] !== undefined));
// The catalogue ends the context of OpenAI's models where their price rises. At Azure the same models have their own.
for (const [id, row] of Object.entries(models.openai)) {
  const [, , , , context, , tiers] = row;
  if (tiers !== undefined && context <= tiers.at(-1)[0]) row[4] = models.azure[id]?.[4] ?? null;
}
const sources = Object.entries(json(path.join(HERE, 'package.json')).dependencies).map(
  ([name, version]) => `${name}@${version}`,
);
const lines = Object.entries(models).map(([provider, rows]) => {
  const each = Object.entries(rows).map(([id, row]) => `      ${JSON.stringify(id)}: ${JSON.stringify(row)}`);
  return `    ${JSON.stringify(provider)}: {\n${each.join(',\n')}\n    }`;
});
writeFileSync(
  OUT,
  `{\n  "date": ${JSON.stringify(date)},\n  "sources": ${JSON.stringify(sources)},\n  "models": {\n${lines.join(',\n')}\n  },\n  "audio": ${JSON.stringify(audio)},\n  "notListed": ${JSON.stringify(notListed)}\n}\n`,
);
console.log(
  Object.entries(models)
    .map(([name, rows]) => `${name} ${Object.keys(rows).length}`)
    .join(', '),
);
