import type { Tone } from '../../components/tag.tsx';
import classes from './policy.module.css';

interface ScoreSliderProps {
  readonly label: string;
  /** Findings by score, in equal intervals from 0 to 1; empty if there are none. */
  readonly bins: readonly number[];
  readonly value: number;
  readonly tone: Tone;
  readonly isDisabled: boolean;
  onChange(value: number): void;
}

const HEIGHT = 28;

/** A threshold, under the distribution of recorded scores. Scores from it on have the action's colour. */
export function ScoreSlider({ label, bins, value, tone, isDisabled, onChange }: ScoreSliderProps) {
  const highest = Math.max(1, ...bins);
  return (
    <div className={classes.slider}>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bins.map((count, at) => {
          // The smallest count is visible too.
          const height = count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT);
          const width = 100 / bins.length;
          const isActedOn = at / bins.length >= value - 1e-9;
          return (
            <rect
              key={at}
              x={at * width + 0.5}
              y={HEIGHT - height}
              width={width - 1}
              height={height}
              fill={isActedOn ? `var(--${tone})` : 'var(--outcome-client_error)'}
            />
          );
        })}
      </svg>
      <input
        type="range"
        aria-label={label}
        min={0}
        max={1}
        step={0.05}
        value={value}
        disabled={isDisabled}
        data-tone={tone}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  );
}
