import { Button, NativeSelect } from '@mantine/core';
import type { PolicyScores, ThreatType } from '../../api/client.ts';
import { formatExact, formatScore } from '../../components/format.ts';
import { capitalised, THREAT_NAMES, THREAT_REASONS, THREAT_TYPES } from '../../components/labels.ts';
import { Tag } from '../../components/tag.tsx';
import classes from './policy.module.css';
import { DIRECTIONS, type Direction, type Settings, withSetting } from './policy-settings.ts';
import { inForce, presetDefault } from './preset-defaults.ts';
import { binsOf, countFrom, effectOf } from './score-counts.ts';
import { ScoreSlider } from './score-slider.tsx';

interface TypeFieldsProps {
  readonly settings: Settings;
  /** The policy before the edit. */
  readonly saved: Settings;
  /** undefined until they are loaded. */
  readonly scores: PolicyScores | undefined;
  onChange(settings: Settings): void;
}

const WHERE: Readonly<Record<Direction, string>> = { input: 'requests', output: 'responses' };

/** The action and threshold in force of each threat type, over the scores of the last week. */
export function TypeFields({ settings, saved, scores, onChange }: TypeFieldsProps) {
  return (
    <div className={classes.types}>
      {THREAT_TYPES.map((type) => (
        <section key={type} className={classes.type} aria-label={THREAT_NAMES[type]}>
          <div>
            <h4>{THREAT_NAMES[type]}</h4>
            <p className={classes.small}>{THREAT_REASONS[type]}</p>
          </div>
          {DIRECTIONS.map((direction) => (
            <TypeField
              key={direction}
              direction={direction}
              type={type}
              settings={settings}
              saved={saved}
              scores={scores}
              onChange={onChange}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

interface TypeFieldProps extends TypeFieldsProps {
  readonly direction: Direction;
  readonly type: ThreatType;
}

const ACTIONS = ['off', 'flag', 'redact', 'block'] as const;
const CALL_ACTIONS = ['off', 'flag', 'ask', 'block'] as const;

function TypeField({ direction, type, settings, saved, scores, onChange }: TypeFieldProps) {
  const current = inForce(settings, direction, type);
  const preset = presetDefault(settings, direction, type);
  const bins = binsOf(scores, direction, type);
  const actions = direction === 'output' && type === 'tool_misuse' ? CALL_ACTIONS : ACTIONS;
  const where = `${THREAT_NAMES[type]} in ${WHERE[direction]}`;
  const set = (path: readonly string[], value: unknown) => onChange(withSetting(settings, path, value));
  const isUnknown = current.action !== 'off' && current.threshold < LEAST_RECORDED - 1e-9;
  const effect = scores === undefined || isUnknown ? undefined : effectOf(saved, settings, scores, direction, type);
  const setThreshold = (threshold: number) => set([direction, type], { action: current.action, threshold });
  return (
    <div className={classes.direction}>
      <div className={classes.directionHead}>
        <NativeSelect
          label={`In ${WHERE[direction]}`}
          aria-label={where}
          size="xs"
          data={actions.map((action) => ({
            value: action,
            label: action === preset.action ? `${capitalised(action)} (preset)` : capitalised(action),
          }))}
          value={current.action}
          onChange={(event) => set([direction, type, 'action'], event.currentTarget.value)}
        />
        <Source isSet={current.isSet} />
      </div>
      <ScoreSlider
        label={`${where}: minimum score`}
        bins={bins}
        value={current.threshold}
        tone={current.action === 'off' ? 'neutral' : current.action}
        isDisabled={current.action === 'off'}
        onChange={setThreshold}
      />
      <p className={isUnknown ? classes.warning : classes.small}>
        {current.action === 'off' ? 'Not inspected' : `From ${formatScore(current.threshold)}`}
        {current.action === 'off' || current.isThresholdSet || !current.isSet ? '' : ' (preset)'}
        {scores === undefined || current.action === 'off' ? '' : `: ${countNote(bins, current.threshold)}`}
        {current.isSet ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`${where}: use the preset`}
            onClick={() => set([direction, type], undefined)}
          >
            Use the preset
          </Button>
        ) : null}
      </p>
      {effect === undefined ? null : <p className={classes.effect}>This change: {effect}</p>}
    </div>
  );
}

/** Findings with a lower score are not recorded. */
const LEAST_RECORDED = 0.5;

function Source({ isSet }: { readonly isSet: boolean }) {
  return <Tag tone={isSet ? 'info' : 'neutral'}>{isSet ? 'This policy' : 'Preset'}</Tag>;
}

function countNote(bins: readonly number[], threshold: number): string {
  const all = countFrom(bins, 0);
  if (threshold < LEAST_RECORDED - 1e-9) {
    return 'lower scores than 0.50 are not recorded, so the effect is unknown. Harmless texts have them too';
  }
  if (all === 0) return 'no findings last week';
  return `${formatExact(countFrom(bins, threshold))} of ${formatExact(all)} findings last week`;
}
