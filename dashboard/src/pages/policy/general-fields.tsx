import { Checkbox, NativeSelect, NumberInput } from '@mantine/core';
import { THREAT_NAMES, THREAT_TYPES } from '../../components/labels.ts';
import classes from './policy.module.css';
import { DIRECTIONS, type Direction, type Settings, settingAt, withSetting } from './policy-settings.ts';

interface FieldsProps {
  readonly settings: Settings;
  onChange(settings: Settings): void;
}

const CHOICES = [
  {
    name: 'preset',
    label: 'Preset',
    data: [
      ['', 'Balanced (default)'],
      ['monitor', 'Monitor: changes nothing'],
      ['balanced', 'Balanced: blocks what is almost certain'],
      ['strict', 'Strict: blocks what is likely'],
    ],
  },
  {
    name: 'onBlock',
    label: 'A blocked request is answered with',
    data: [
      ['', 'An error (default)'],
      ['error', 'An error'],
      ['refusal', "A refusal, as the model's own"],
    ],
  },
  {
    name: 'onDetectorFailure',
    label: 'When an outside detector fails',
    data: [
      ['', "The preset's choice"],
      ['pass', 'Let pass'],
      ['block', 'Block'],
    ],
  },
  {
    name: 'unreadable',
    label: 'Images, audio and files that cannot be read',
    data: [
      ['', 'Let pass (default)'],
      ['allow', 'Let pass'],
      ['flag', 'Flag'],
      ['block', 'Block'],
    ],
  },
  {
    name: 'capture',
    label: 'Texts of requests',
    data: [
      ['', 'Are not kept (default)'],
      ['none', 'Are not kept'],
      ['redacted', 'Are kept without what is private'],
      ['full', 'Are kept whole, secrets too'],
    ],
  },
] as const;

/** What a policy says besides its rules. */
export function GeneralFields({ settings, onChange }: FieldsProps) {
  const set = (name: string, value: unknown) => onChange(withSetting(settings, [name], value));
  const maxOutputTokens = settings.maxOutputTokens;
  return (
    <div className={classes.stack}>
      <div className={classes.grid}>
        {CHOICES.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            label={label}
            data={data.map(([value, text]) => ({ value, label: text }))}
            value={typeof settings[name] === 'string' ? settings[name] : ''}
            onChange={(event) => set(name, event.currentTarget.value || undefined)}
          />
        ))}
        <NumberInput
          label="Longest answer, tokens"
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
        label="Plant a marker in system prompts, to catch a leak of them"
        checked={settings.canary === true}
        onChange={(event) => set('canary', event.currentTarget.checked || undefined)}
      />
      <Checkbox
        label="Show callers a masked excerpt with each finding"
        checked={settings.evidence === true}
        onChange={(event) => set('evidence', event.currentTarget.checked || undefined)}
      />
    </div>
  );
}

const ACTIONS = [
  { value: '', label: "Preset's" },
  { value: 'off', label: 'Off' },
  { value: 'flag', label: 'Flag' },
  { value: 'redact', label: 'Redact' },
  { value: 'block', label: 'Block' },
];

/** What is done about each type of threat, where it differs from the preset. */
export function TypeFields({ settings, onChange }: FieldsProps) {
  return (
    <section className={classes.scroll} aria-label="Types of threat">
      <table className={classes.types}>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">In requests</th>
            <th scope="col">From score</th>
            <th scope="col">In answers</th>
            <th scope="col">From score</th>
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
  const where = `${THREAT_NAMES[type]} in ${direction === 'input' ? 'requests' : 'answers'}`;
  return (
    <>
      <td>
        <NativeSelect
          aria-label={where}
          data={ACTIONS}
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
          aria-label={`${where}: from score`}
          placeholder="Preset's"
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
