import { Button, Fieldset, NativeSelect, Textarea } from '@mantine/core';
import { choicesOf } from '../../components/labels.ts';
import { filterOf } from '../../components/query-chips.ts';
import { MapFields } from './map-fields.tsx';
import classes from './policy.module.css';
import { faultyToolRule, type Settings, settingAt, toLines, withSetting } from './policy-settings.ts';
import { ToolRuleFields } from './tool-rule-fields.tsx';
import { NEW_TOOL_RULE, type ToolRule, toolRulesOf, unreadableMember } from './tool-settings.ts';

interface ToolFieldsProps {
  readonly settings: Settings;
  /** The server's error and its field. */
  readonly fault: { readonly param: string | undefined; readonly message: string } | undefined;
  onChange(settings: Settings): void;
}

const CHOICES = [
  {
    name: 'unlisted',
    label: 'Calls of tools without an effect',
    data: [
      ['', 'Allow (default)'],
      ['allow', 'Allow'],
      ['flag', 'Flag'],
      ['block', 'Block'],
    ],
  },
  {
    name: 'pin',
    label: 'If the definition of a tool changes',
    data: [
      ['', 'Ignore (default)'],
      ['off', 'Ignore'],
      ['flag', 'Flag'],
      ['block', 'Block'],
    ],
  },
] as const;
const EFFECTS = choicesOf(filterOf('listTools', 'effect'));
const SOURCES = [
  { value: 'trusted', label: 'Trusted' },
  { value: 'public', label: 'Public' },
  { value: 'private', label: 'Private' },
];

/** Editor of `tools`: what agents may do. It keeps what it does not show. */
export function ToolFields({ settings, fault, onChange }: ToolFieldsProps) {
  const unreadable = unreadableMember(settings);
  if (unreadable !== undefined) {
    return (
      <p>
        The form cannot show <code>{unreadable}</code>. Edit it on the JSON tab.
      </p>
    );
  }
  const set = (path: readonly string[], value: unknown) => onChange(withSetting(settings, ['tools', ...path], value));
  const at = (name: string) => settingAt(settings, ['tools', name]);
  return (
    <div className={classes.stack}>
      <div className={classes.grid}>
        {CHOICES.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            label={label}
            data={data.map(([value, text]) => ({ value, label: text }))}
            value={typeof at(name) === 'string' ? (at(name) as string) : ''}
            onChange={(event) => set([name], event.currentTarget.value || undefined)}
          />
        ))}
      </div>
      <Choices
        legend="Effects"
        note="What tools do. It corrects what svc derives from their names. * is for any characters."
        add="Add an effect"
        choices={EFFECTS}
        entries={at('effects')}
        onChange={(entries) => set(['effects'], entries)}
      />
      <Choices
        legend="Sources"
        note="Who writes the results of tools."
        add="Add a source"
        choices={SOURCES}
        entries={at('sources')}
        onChange={(entries) => set(['sources'], entries)}
      />
      <Lists entries={at('lists')} onChange={(entries) => set(['lists'], entries)} />
      <Rules
        settings={settings}
        fault={fault}
        put={(rules) => set(['rules'], rules.length === 0 ? undefined : rules)}
      />
    </div>
  );
}

interface MapProps {
  readonly entries: unknown;
  onChange(entries: unknown): void;
}

interface ChoicesProps extends MapProps {
  readonly legend: string;
  readonly note: string;
  readonly add: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** A choice for each glob of tools. */
function Choices({ legend, note, add, choices, entries = {}, onChange }: ChoicesProps) {
  const [first] = choices;
  return (
    <Fieldset legend={legend}>
      <div className={classes.stack}>
        <p className={classes.small}>{note}</p>
        <MapFields
          entries={entries as Readonly<Record<string, string>>}
          label={`${legend}: tool`}
          placeholder="send_*"
          add={add}
          initial={first?.value ?? ''}
          onChange={onChange}
        >
          {({ value }, setValue, label) => (
            <NativeSelect
              aria-label={`${label}, value`}
              // A value that the API does not know stays until it is changed.
              data={choices.some((one) => one.value === value) ? [...choices] : [...choices, value]}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          )}
        </MapFields>
      </div>
    </Fieldset>
  );
}

/** Named values for rules, one in a line. */
function Lists({ entries = {}, onChange }: MapProps) {
  return (
    <Fieldset legend="Lists">
      <div className={classes.stack}>
        <p className={classes.small}>Values that a rule names as list:NAME, one in a line.</p>
        <MapFields
          entries={entries as Readonly<Record<string, readonly string[]>>}
          label="List"
          placeholder="suppliers"
          add="Add a list"
          initial={[]}
          onChange={onChange}
        >
          {({ value }, setValue, label) => (
            <Textarea
              aria-label={`${label}, values`}
              rows={2}
              autosize
              maxRows={8}
              spellCheck={false}
              defaultValue={value.join('\n')}
              onChange={(event) => setValue(toLines(event.currentTarget.value) ?? [])}
            />
          )}
        </MapFields>
      </div>
    </Fieldset>
  );
}

interface RulesProps extends Pick<ToolFieldsProps, 'settings' | 'fault'> {
  put(rules: readonly ToolRule[]): void;
}

function Rules({ settings, fault, put }: RulesProps) {
  const rules = toolRulesOf(settings);
  const faulty = faultyToolRule(fault?.param);
  const lists = Object.keys((settingAt(settings, ['tools', 'lists']) ?? {}) as object);
  return (
    <>
      {rules.length === 0 ? (
        <p>No rules for tools yet. Begin with the action flag, and look at what it flags.</p>
      ) : null}
      {rules.map((rule, at) => (
        <ToolRuleFields
          // Keyed by index, since the id is edited; removing a rule resets all.
          key={`${rules.length}/${at}`}
          rule={rule}
          name={rule.id === '' ? `New rule for tools ${at + 1}` : rule.id}
          lists={lists}
          error={faulty === at ? fault?.message : undefined}
          onChange={(changed) => put(rules.with(at, changed))}
          onRemove={() => put(rules.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button variant="default" onClick={() => put([...rules, NEW_TOOL_RULE])}>
          Add a rule for tools
        </Button>
      </div>
    </>
  );
}
