import { Checkbox, NativeSelect, NumberInput } from '@mantine/core';
import { CAPTURE_NAMES } from '../../components/labels.ts';
import classes from './policy.module.css';
import { type Settings, withSetting } from './policy-settings.ts';
import { presetOnDetectorFailure } from './preset-defaults.ts';

interface FieldsProps {
  readonly settings: Settings;
  onChange(settings: Settings): void;
}

/** An empty label shows the preset's value. */
const CHOICES = [
  {
    name: 'preset',
    label: 'Preset',
    data: [
      ['', 'Balanced (default)'],
      ['monitor', 'Monitor: flags only'],
      ['balanced', 'Balanced: blocks near-certain attacks'],
      ['strict', 'Strict: blocks likely attacks'],
    ],
  },
  {
    name: 'onBlock',
    label: 'Response to a blocked request',
    data: [
      ['', 'Error (default)'],
      ['error', 'Error'],
      ['refusal', "Refusal in the form of a model's response"],
    ],
  },
  {
    name: 'onDetectorFailure',
    label: 'If an outside detector fails',
    data: [
      ['', ''],
      ['pass', 'Allow'],
      ['block', 'Block'],
    ],
  },
  {
    name: 'unreadable',
    label: 'Images, audio and files that cannot be read',
    data: [
      ['', 'Allow (default)'],
      ['allow', 'Allow'],
      ['flag', 'Flag'],
      ['block', 'Block'],
    ],
  },
  {
    name: 'unknownPrice',
    label: 'With a budget, a model without a price',
    data: [
      ['', 'Refuse (default)'],
      ['refuse', 'Refuse'],
      ['tokensOnly', 'Serve, and count the known part of the cost'],
      ['alias', 'Use the highest price of the same model elsewhere'],
    ],
  },
  {
    name: 'cache',
    label: 'Stored responses to repeated requests',
    data: [
      ['', 'None (default)'],
      ['false', 'None'],
      ['true', 'Of the same key'],
      ['team', "Of the team's keys"],
    ],
  },
  {
    name: 'capture',
    label: 'Captured texts',
    data: [['', 'None (default)'], ...Object.entries(CAPTURE_NAMES)],
  },
] as const;

function readChoice(value: string): string | boolean | undefined {
  return value === 'true' || value === 'false' ? value === 'true' : value || undefined;
}

/** A policy's settings except types and rules. */
export function GeneralFields({ settings, onChange }: FieldsProps) {
  const set = (name: string, value: unknown) => onChange(withSetting(settings, [name], value));
  const maxOutputTokens = settings.maxOutputTokens;
  const failureDefault = presetOnDetectorFailure(settings) === 'block' ? 'Block (preset)' : 'Allow (preset)';
  return (
    <div className={classes.stack}>
      <div className={classes.grid}>
        {CHOICES.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            label={label}
            data={data.map(([value, text]) => ({ value, label: text || failureDefault }))}
            value={String(settings[name] ?? '')}
            onChange={(event) => set(name, readChoice(event.currentTarget.value))}
          />
        ))}
        <NumberInput
          label="Response limit, tokens"
          placeholder="No limit"
          min={1}
          decimalScale={0}
          hideControls
          thousandSeparator=","
          value={typeof maxOutputTokens === 'number' ? maxOutputTokens : ''}
          onChange={(value) => set('maxOutputTokens', typeof value === 'number' ? value : undefined)}
        />
      </div>
      <Checkbox
        label="Add a marker to system prompts to detect leaks"
        checked={settings.canary === true}
        onChange={(event) => set('canary', event.currentTarget.checked || undefined)}
      />
      <Checkbox
        label="Return a masked excerpt with each finding"
        checked={settings.evidence === true}
        onChange={(event) => set('evidence', event.currentTarget.checked || undefined)}
      />
    </div>
  );
}
