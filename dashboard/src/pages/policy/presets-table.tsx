import { Button } from '@mantine/core';
import { formatScore } from '../../components/format.ts';
import { capitalised, THREAT_NAMES, THREAT_TYPES } from '../../components/labels.ts';
import { Tag } from '../../components/tag.tsx';
import classes from './policy.module.css';
import { DIRECTIONS, type Settings } from './policy-settings.ts';
import { presetDefault } from './preset-defaults.ts';

const PRESETS = [
  ['monitor', 'Flags only. Start with it.'],
  ['balanced', 'Blocks near-certain attacks. The default.'],
  ['strict', 'Blocks likely attacks, redacts personal data.'],
] as const;

interface PresetsTableProps {
  readonly settings: Settings;
  onChoose(preset: string): void;
}

/** The presets side by side. */
export function PresetsTable({ settings, onChoose }: PresetsTableProps) {
  const chosen = typeof settings.preset === 'string' ? settings.preset : 'balanced';
  return (
    <table className={classes.presets} aria-label="Presets side by side">
      <thead>
        <tr>
          <th scope="col">Type</th>
          {PRESETS.map(([preset, note]) => (
            <th key={preset} scope="col">
              <span className={classes.presetHead}>
                {capitalised(preset)}
                {preset === chosen ? (
                  <Tag tone="info">In this policy</Tag>
                ) : (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => onChoose(preset)}
                    aria-label={`Use ${preset}`}
                  >
                    Use
                  </Button>
                )}
              </span>
              <span className={classes.small}>{note}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {THREAT_TYPES.map((type) => (
          <tr key={type}>
            <th scope="row">{THREAT_NAMES[type]}</th>
            {PRESETS.map(([preset]) => (
              <td key={preset} data-preset={capitalised(preset)}>
                {DIRECTIONS.map((direction) => {
                  const { action, threshold } = presetDefault({ preset }, direction, type);
                  return (
                    <span key={direction} className={classes.presetCell}>
                      <Tag tone={action}>{capitalised(action)}</Tag> {formatScore(threshold)}{' '}
                      <span className={classes.small}>{direction === 'input' ? 'requests' : 'responses'}</span>
                    </span>
                  );
                })}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
