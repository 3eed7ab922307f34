import { useQuery } from '@tanstack/react-query';
import type { EffectivePolicy, ThreatType } from '../../api/client.ts';
import { type Reading, reading } from '../../api/queries.ts';
import { formatExact, formatScore } from '../../components/format.ts';
import { CAPTURE_NAMES, capitalised, THREAT_NAMES, THREAT_TYPES } from '../../components/labels.ts';
import { ErrorState } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { Tag, type Tone } from '../../components/tag.tsx';
import classes from './policy.module.css';
import { DIRECTIONS, type Direction } from './policy-settings.ts';

type Source = EffectivePolicy['preset']['source'];

const SOURCES: Readonly<Record<Source, readonly [Tone, string]>> = {
  default: ['neutral', 'Default'],
  preset: ['neutral', 'Preset'],
  deployment: ['info', 'Deployment'],
  team: ['info', 'Team'],
  key: ['info', 'Key'],
};

/** Every value that is in force: of the deployment, or of a key. */
export function EffectiveView({ keyId }: { readonly keyId?: string }) {
  const options = { query: { effective: true } };
  const read =
    keyId === undefined
      ? reading('getPolicy', options)
      : reading('getKeyPolicy', { ...options, params: { id: keyId } });
  const query = useQuery<EffectivePolicy>({ ...(read as Reading<EffectivePolicy>), refetchOnMount: 'always' });
  const { data } = query;
  if (data === undefined) {
    return query.error === null ? (
      <Placeholder label="Loading the policy in force" lines={10} />
    ) : (
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    );
  }
  return (
    <div className={classes.stack}>
      <p className={classes.small}>
        Version {data.version} of the deployment&apos;s policy
        {data.keyId === null ? '' : ", and the key's own policy"}. A finding is flagged from score{' '}
        {formatScore(data.flagFrom)}, below its threshold too.
      </p>
      <table className={classes.effective} aria-label="Policy in force by type">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">In requests</th>
            <th scope="col">In responses</th>
          </tr>
        </thead>
        <tbody>
          {THREAT_TYPES.map((type) => (
            <tr key={type}>
              <th scope="row">{THREAT_NAMES[type]}</th>
              {DIRECTIONS.map((direction) => (
                <td key={direction}>
                  <TypeInForce policy={data} direction={direction} type={type} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={classes.values}>
        {fieldsOf(data).map(([name, value, source]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value} <SourceTag source={source} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface TypeInForceProps {
  readonly policy: EffectivePolicy;
  readonly direction: Direction;
  readonly type: ThreatType;
}

function TypeInForce({ policy, direction, type }: TypeInForceProps) {
  const inForce = policy[direction][type];
  // An older API does not know every type.
  if (inForce === undefined) return null;
  const { action, threshold, source, thresholdSource } = inForce;
  return (
    <span className={classes.cell}>
      <Tag tone={action === 'off' ? 'neutral' : action}>{capitalised(action)}</Tag>
      {action === 'off' ? null : <span>from {formatScore(threshold)}</span>}
      <SourceTag source={source} />
      {action === 'off' || source === thresholdSource ? null : (
        <span className={classes.small}>score: {SOURCES[thresholdSource][1].toLowerCase()}</span>
      )}
    </span>
  );
}

function SourceTag({ source }: { readonly source: Source }) {
  const [tone, name] = SOURCES[source];
  return <Tag tone={tone}>{name}</Tag>;
}

const UNKNOWN_PRICES = {
  refuse: 'Refused with a budget',
  tokensOnly: 'Served; the known part counts',
  alias: 'Highest price of the same model',
} as const;

const CACHES = { false: 'None', true: 'Of the same key', team: "Of the team's keys" } as const;

function fieldsOf(policy: EffectivePolicy): readonly (readonly [name: string, value: string, source: Source])[] {
  const { preset, contactDetails, onBlock, onDetectorFailure, onUnfinishedInspection, unreadable, capture } = policy;
  const counted = (name: string, { value, source }: { readonly value: readonly unknown[]; readonly source: Source }) =>
    [name, value.length === 0 ? 'None' : formatExact(value.length), source] as const;
  const passes = (value: 'pass' | 'block') => (value === 'pass' ? 'Allow' : 'Block');
  const yes = (value: boolean) => (value ? 'Yes' : 'No');
  const { maxOutputTokens, canary, evidence, shadow, tools, unknownPrice, cache } = policy;
  return [
    ['Preset', capitalised(preset.value), preset.source],
    [
      'E-mail, telephone and IP addresses in requests',
      contactDetails.value === 'allow' ? 'Recorded only' : 'Like other personal data',
      contactDetails.source,
    ],
    [
      'Response to a blocked request',
      onBlock.value === 'error' ? 'Error' : "Refusal in the form of a model's response",
      onBlock.source,
    ],
    ['If an outside detector fails', passes(onDetectorFailure.value), onDetectorFailure.source],
    ['If inspection exceeds its CPU time', passes(onUnfinishedInspection.value), onUnfinishedInspection.source],
    ['Content that cannot be read', capitalised(unreadable.value), unreadable.source],
    ['Captured texts', CAPTURE_NAMES[capture.value], capture.source],
    [
      'Response limit, tokens',
      maxOutputTokens.value === null ? 'No limit' : formatExact(maxOutputTokens.value),
      maxOutputTokens.source,
    ],
    ...(unknownPrice === undefined
      ? []
      : ([['A model without a price', UNKNOWN_PRICES[unknownPrice.value], unknownPrice.source]] as const)),
    ...(cache === undefined ? [] : ([['Stored responses', CACHES[`${cache.value}`], cache.source]] as const)),
    ['Marker in system prompts', yes(canary.value), canary.source],
    ['Masked excerpts in responses', yes(evidence.value), evidence.source],
    counted('Custom rules', policy.rules),
    counted('Allow list', policy.allow),
    counted('Banned topics', policy.bannedTopics),
    ...toolFields(tools),
    ['Shadow policy', shadow.value === null ? 'None' : capitalised(shadow.value.preset ?? 'balanced'), shadow.source],
    counted('Budgets by tag', policy.tagBudgets),
  ];
}

/** An older API has no rules for tools. */
function toolFields(
  tools: EffectivePolicy['tools'],
): readonly (readonly [name: string, value: string, source: Source])[] {
  if (tools === undefined) return [];
  const { source, value } = tools;
  const { rules = [], unlisted = 'allow', pin = 'off' } = value;
  return [
    ['Rules for tool calls', rules.length === 0 ? 'None' : formatExact(rules.length), source],
    ['Calls of unlisted tools', capitalised(unlisted), source],
    ['Changed definitions of tools', pin === 'off' ? 'Allow' : capitalised(pin), source],
  ];
}
