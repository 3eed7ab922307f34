import type { RequestDetail } from '../../api/client.ts';
import classes from '../../components/components.module.css';
import { formatCost, formatExact, formatRequestCost, NOTHING } from '../../components/format.ts';
import own from './requests.module.css';

/** Charges that the cost does not contain, or only by an estimate. */
const UNKNOWN_NAMES: Readonly<Record<NonNullable<RequestDetail['unknownCharges']>[number], string>> = {
  tokens: 'Tokens, at an unknown price',
  inputTokens: 'Input, not counted by the provider',
  outputTokens: 'Output, not counted by the provider',
  cacheWriteInputHour: 'Surcharge of cache writes for an hour',
  inputAudio: 'Surcharge of audio',
  outputAudio: 'Surcharge of audio output',
  webSearch: 'Fees of searches',
  serviceTier: 'Difference of the service tier',
  speed: 'Difference of the speed',
  inferenceGeo: 'Difference of the inference region',
  fileSearch: 'Fees of file searches',
  codeExecution: 'Fees of code execution',
  imageGeneration: 'Fees of image generation',
  furtherModel: 'Tokens of another model',
};

const ESTIMATED: ReadonlySet<string> = new Set(['inputTokens', 'outputTokens']);

/** What a request costs, by its parts. */
export function Cost({ record }: { readonly record: RequestDetail }) {
  const { tokens, costUsd, unknownCharges = [], searchCostUsd = 0, judgeCostUsd } = record;
  if (record.cache === 'hit')
    return <p className={classes.hint}>None: a stored response. It saved {formatCost(record.savedUsd ?? null)}.</p>;
  if (record.attempts === 0) return <p className={classes.hint}>None: no provider was called.</p>;
  const inputCostUsd = costUsd === 0 ? 0 : record.inputCostUsd;
  const rows: readonly (readonly [name: string, tokens: number | null, usd: number | null])[] = [
    ['Input', tokens.input, inputCostUsd ?? null],
    ['of it read from the cache', tokens.cachedInput ?? null, null],
    ['of it written to the cache', tokens.cacheWriteInput ?? null, null],
    ['of that for an hour', tokens.cacheWriteInputHour ?? null, null],
    ['of it audio', tokens.inputAudio ?? null, null],
    [
      'Output',
      tokens.output,
      costUsd === null || inputCostUsd === undefined ? null : costUsd - inputCostUsd - searchCostUsd,
    ],
    ['of it reasoning', tokens.reasoning ?? null, null],
    ['of it audio, written', tokens.outputAudio ?? null, null],
    [`${countOf(tokens.searches ?? 0)} searches`, null, searchCostUsd || null],
  ];
  return (
    <table className={own.table} aria-label="Cost">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Tokens</th>
          <th scope="col">USD, list price</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(([, count, usd]) => count !== null || usd !== null)
          .map(([name, count, usd]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{countOf(count)}</td>
              <td>{formatCost(usd)}</td>
            </tr>
          ))}
        {unknownCharges.map((charge) => (
          <tr key={charge}>
            <th scope="row">{UNKNOWN_NAMES[charge]}</th>
            <td>{NOTHING}</td>
            <td>{ESTIMATED.has(charge) ? 'Estimated' : 'Unknown'}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Total</th>
          <td>{NOTHING}</td>
          <td>{formatRequestCost(record)}</td>
        </tr>
        {judgeCostUsd === undefined ? null : (
          <tr>
            <th scope="row">Detector model, in no budget</th>
            <td>{NOTHING}</td>
            <td>{formatCost(judgeCostUsd)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

export function countOf(tokens: number | null): string {
  return tokens === null ? NOTHING : formatExact(tokens);
}
