import { Checkbox, NativeSelect, NumberInput } from '@mantine/core';
import { capitalised, THREAT_NAMES, THREAT_TYPES } from '../../components/labels.ts';
import classes from './policy.module.css';
import { DIRECTIONS, type Direction, type Settings, settingAt, withSetting } from './policy-settings.ts';
import { presetDefault, presetOnDetectorFailure } from './preset-defaults.ts';

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
    name: 'capture',
    label: 'Captured texts',
    data: [
      ['', 'None (default)'],
      ['none', 'None'],
      ['redacted', 'Without personal data and secrets'],
      ['full', 'Full text, including secrets'],
    ],
  },
] as const;

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
            value={typeof settings[name] === 'string' ? settings[name] : ''}
            onChange={(event) => set(name, event.currentTarget.value || undefined)}
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

const ACTIONS = [
  { value: 'off', label: 'Off' },
  { value: 'flag', label: 'Flag' },
  { value: 'redact', label: 'Redact' },
  { value: 'block', label: 'Block' },
];

/** The action and threshold of each threat type. */
export function TypeFields({ settings, onChange }: FieldsProps) {
  return (
    <section className={classes.scroll} aria-label="Threat types">
      <table className={classes.types}>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">In requests</th>
            <th scope="col">Minimum score</th>
            <th scope="col">In responses</th>
            <th scope="col">Minimum score</th>
          </tr>
        </thead>
        <tbody>
          {THREAT_TYPES.map((type) => (
            <tr key={type}>
              <th scope="row">{THREAT_NAMES[type]}</th>
              {DIRECTIONS.map((direction) => (
                <TypeCells key={direction} direction={direction} type={type} settings={settings} onChange={onChange} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface TypeCellsProps extends FieldsProps {
  readonly direction: Direction;
  readonly type: keyof typeof THREAT_NAMES;
}

function TypeCells({ direction, type, settings, onChange }: TypeCellsProps) {
  const action = settingAt(settings, [direction, type, 'action']);
  const threshold = settingAt(settings, [direction, type, 'threshold']);
  const preset = presetDefault(settings, direction, type);
  const where = `${THREAT_NAMES[type]} in ${direction === 'input' ? 'requests' : 'responses'}`;
  return (
    <>
      <td>
        <NativeSelect
          aria-label={where}
          data={[{ value: '', label: `${capitalised(preset.action)} (preset)` }, ...ACTIONS]}
          value={typeof action === 'string' ? action : ''}
          onChange={(event) => {
            const value = event.currentTarget.value;
            onChange(
              value === ''
                ? withSetting(settings, [direction, type], undefined)
                : withSetting(settings, [direction, type, 'action'], value),
            );
          }}
        />
      </td>
      <td>
        <NumberInput
          aria-label={`${where}: minimum score`}
          placeholder={String(preset.threshold)}
          min={0}
          max={1}
          step={0.05}
          decimalScale={3}
          hideControls
          disabled={typeof action !== 'string'}
          value={typeof threshold === 'number' ? threshold : ''}
          onChange={(value) =>
            onChange(
              withSetting(settings, [direction, type, 'threshold'], typeof value === 'number' ? value : undefined),
            )
          }
        />
      </td>
    </>
  );
}
