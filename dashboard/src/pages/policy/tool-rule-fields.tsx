import { Checkbox, Fieldset, MultiSelect, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { choicesOf, THREAT_NAMES, THREAT_TYPES } from '../../components/labels.ts';
import { filterOf } from '../../components/query-chips.ts';
import { MapFields } from './map-fields.tsx';
import classes from './policy.module.css';
import { type Settings, withSetting } from './policy-settings.ts';
import { RuleFieldset } from './rule-fieldset.tsx';
import type { Condition, ToolRule } from './tool-settings.ts';

const EFFECT = filterOf('listTools', 'effect');
const KINDS = [
  { value: 'email', label: 'E-mail address' },
  { value: 'url', label: 'URL' },
  { value: 'account', label: 'Account' },
  { value: 'phone', label: 'Phone number' },
  { value: 'path', label: 'Path' },
];

interface ToolRuleFieldsProps {
  readonly rule: ToolRule;
  readonly name: string;
  /** Names of lists, for sources. */
  readonly lists: readonly string[];
  readonly error: string | undefined;
  onChange(rule: ToolRule): void;
  onRemove(): void;
}

/** One rule for tool calls. The server runs its tests on each save. */
export function ToolRuleFields({ rule, name, lists, error, onChange, onRemove }: ToolRuleFieldsProps) {
  const set = (path: readonly string[], value: unknown) =>
    onChange(withSetting(rule as unknown as Settings, path, value) as unknown as ToolRule);
  const { match = [], noMatch = [] } = rule.tests ?? {};
  const tests = match.length + noMatch.length;
  return (
    <RuleFieldset name={name} error={error} onRemove={onRemove}>
      <RuleHead rule={rule} set={set} onChange={onChange} />
      <Fieldset legend="Arguments" variant="unstyled">
        <div className={classes.stack}>
          <p className={classes.small}>
            All conditions must hold. Without an argument, a total and a request by the user, each call violates the
            rule.
          </p>
          <MapFields
            entries={rule.args ?? {}}
            label="Argument"
            placeholder="to[*]"
            add="Add an argument"
            initial={{ from: ['user'] } as Condition}
            isWide
            onChange={(args) => set(['args'], args)}
          >
            {({ value }, setValue, label) => (
              <ConditionFields condition={value} label={label} lists={lists} onChange={setValue} />
            )}
          </MapFields>
        </div>
      </Fieldset>
      <RuleScope rule={rule} set={set} />
      {tests > 0 ? (
        <p className={classes.small}>
          {tests === 1 ? '1 test runs' : `${tests} tests run`} on each save. Edit them on the JSON tab.
        </p>
      ) : null}
    </RuleFieldset>
  );
}

function RuleHead({ rule, set, onChange }: RuleScopeProps & Pick<ToolRuleFieldsProps, 'onChange'>) {
  return (
    <div className={classes.grid}>
      <TextInput
        label="Id"
        value={rule.id}
        spellCheck={false}
        onChange={(event) => onChange({ ...rule, id: event.currentTarget.value })}
      />
      <TextInput
        label="Tool"
        placeholder="send_*"
        value={rule.tool}
        spellCheck={false}
        onChange={(event) => onChange({ ...rule, tool: event.currentTarget.value })}
      />
      <NativeSelect
        label="Action"
        data={['flag', 'ask', 'block']}
        value={rule.action}
        onChange={(event) => onChange({ ...rule, action: event.currentTarget.value })}
      />
      <MultiSelect
        label="Effects"
        placeholder={(rule.effects ?? []).length === 0 ? 'All' : undefined}
        data={choicesOf(EFFECT)}
        value={[...(rule.effects ?? [])]}
        onChange={(effects) => set(['effects'], effects.length === 0 ? undefined : effects)}
      />
    </div>
  );
}

interface ConditionFieldsProps {
  readonly condition: Condition;
  readonly label: string;
  readonly lists: readonly string[];
  onChange(condition: Condition): void;
}

/** Descriptions below, so that the fields of a row are on one line. */
const ORDER = ['label', 'input', 'description', 'error'] as const;

/** What an argument must be. An empty field is no condition. */
function ConditionFields({ condition, label, lists, onChange }: ConditionFieldsProps) {
  const set = (name: keyof Condition, value: unknown) =>
    onChange(withSetting(condition as Settings, [name], value) as Condition);
  const some = (values: readonly string[]) => (values.length === 0 ? undefined : values);
  return (
    <div className={classes.condition}>
      <TagsInput
        label="From"
        aria-label={`${label}: From`}
        description="user, system, list:NAME or field:TOOL.PATH"
        inputWrapperOrder={[...ORDER]}
        data={['user', 'system', ...lists.map((name) => `list:${name}`)]}
        splitChars={[]}
        value={[...(condition.from ?? [])]}
        onChange={(values) => set('from', some(values))}
        acceptValueOnBlur
      />
      <TagsInput
        label="Matches one of"
        aria-label={`${label}: Matches one of`}
        description="Globs for the whole value"
        inputWrapperOrder={[...ORDER]}
        splitChars={[]}
        value={[...(condition.match ?? [])]}
        onChange={(values) => set('match', some(values))}
        acceptValueOnBlur
      />
      {(['min', 'max'] as const).map((name) => (
        <NumberInput
          key={name}
          label={name === 'min' ? 'At least' : 'At most'}
          aria-label={`${label}: ${name === 'min' ? 'At least' : 'At most'}`}
          hideControls
          value={condition[name] ?? ''}
          onChange={(value) => set(name, typeof value === 'number' ? value : undefined)}
        />
      ))}
      <MultiSelect
        label="Contains none of"
        aria-label={`${label}: Contains none of`}
        data={THREAT_TYPES.map((type) => ({ value: type, label: THREAT_NAMES[type] }))}
        value={[...(condition.without ?? [])]}
        onChange={(values) => set('without', some(values))}
      />
      <MultiSelect
        label="Only values of these kinds"
        aria-label={`${label}: Only values of these kinds`}
        placeholder={(condition.kinds ?? []).length === 0 ? 'All' : undefined}
        data={KINDS}
        value={[...(condition.kinds ?? [])]}
        onChange={(values) => set('kinds', some(values))}
      />
      <Checkbox
        label="Required: a call without a value violates the rule"
        aria-label={`${label}: Required`}
        checked={condition.required === true}
        onChange={(event) => set('required', event.currentTarget.checked ? true : undefined)}
      />
    </div>
  );
}

interface RuleScopeProps {
  readonly rule: ToolRule;
  set(path: readonly string[], value: unknown): void;
}

const AFTER = [
  { value: '', label: 'Always' },
  { value: 'public', label: 'After a public result' },
  { value: 'private', label: 'After a private result' },
  { value: 'trusted', label: 'After a trusted result' },
  { value: 'tool', label: 'After a call of a tool' },
];
const PERIODS = [
  { value: '', label: 'No total' },
  { value: 'session', label: 'In a session' },
  { value: 'day', label: 'In a day (UTC)' },
];

/** When the rule holds, and the sum of an argument. */
function RuleScope({ rule, set }: RuleScopeProps) {
  const { after, total, needs } = rule;
  const kind = after?.tool === undefined ? (after?.source ?? '') : 'tool';
  return (
    <>
      <div className={classes.grid}>
        <NativeSelect
          label="Holds"
          data={AFTER}
          value={kind}
          onChange={(event) => {
            const next = event.currentTarget.value;
            set(['after'], next === '' ? undefined : next === 'tool' ? { tool: '*' } : { source: next });
          }}
        />
        {kind === 'tool' ? (
          <TextInput
            label="After this tool"
            value={after?.tool ?? ''}
            spellCheck={false}
            onChange={(event) => set(['after', 'tool'], event.currentTarget.value)}
          />
        ) : null}
        <NativeSelect
          label="Largest sum"
          data={PERIODS}
          value={total?.per ?? ''}
          onChange={(event) => {
            const per = event.currentTarget.value;
            set(['total'], per === '' ? undefined : { arg: 'amount', max: 0, ...total, per });
          }}
        />
        {total === undefined ? null : (
          <>
            <TextInput
              label="Of the argument"
              placeholder="None: the number of calls"
              value={total.arg ?? ''}
              spellCheck={false}
              onChange={(event) => set(['total', 'arg'], event.currentTarget.value || undefined)}
            />
            <NumberInput
              label="Sum at most"
              hideControls
              min={0}
              value={total.max ?? ''}
              onChange={(value) => set(['total', 'max'], typeof value === 'number' ? value : 0)}
            />
          </>
        )}
      </div>
      <Checkbox
        label="Only if the user's latest message asks for it"
        checked={needs === 'asked'}
        onChange={(event) => set(['needs'], event.currentTarget.checked ? 'asked' : undefined)}
      />
    </>
  );
}
