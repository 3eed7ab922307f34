import { Checkbox, Fieldset, NativeSelect, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Permission } from '../../api/client.ts';
import {
  CAPTURE_NAMES,
  ENVIRONMENTS,
  PERMISSION_NAMES,
  PERMISSION_NOTES,
  PERMISSIONS,
} from '../../components/labels.ts';
import { type FormFault, type KeyForm, PERIODS, type Period, parseObject } from './key-form.ts';
import classes from './keys.module.css';

interface KeyFieldsProps {
  readonly form: KeyForm;
  /** The error that the server or the form reports. */
  readonly fault: FormFault | undefined;
  onChange(changes: Partial<KeyForm>): void;
}

interface PartProps extends Omit<KeyFieldsProps, 'fault'> {
  /** The error's message if it is about one of these fields. */
  errorOf(...params: readonly string[]): string | undefined;
}

const PER = PERIODS.map((period) => ({ value: period, label: `per ${period}` }));
const PRESETS = [
  { value: '', label: 'Deployment policy' },
  { value: 'monitor', label: 'Monitor: flags only' },
  { value: 'balanced', label: 'Balanced: blocks near-certain attacks' },
  { value: 'strict', label: 'Strict: blocks likely attacks' },
];

const CAPTURES = [
  { value: '', label: 'Deployment policy' },
  ...Object.entries(CAPTURE_NAMES).map(([value, label]) => ({ value, label })),
];

/** Every setting of a key. */
export function KeyFields({ form, fault, onChange }: KeyFieldsProps) {
  const errorOf = (...params: readonly string[]) =>
    fault !== undefined && params.some((param) => isAt(fault.param, param)) ? fault.message : undefined;
  return (
    <div className={classes.fields}>
      <NameFields form={form} errorOf={errorOf} onChange={onChange} />
      <Checkbox.Group
        label="Permissions"
        value={[...form.permissions]}
        onChange={(permissions) => onChange({ permissions: permissions as Permission[] })}
        error={errorOf('permissions')}
      >
        <Checks />
      </Checkbox.Group>
      <LimitFields form={form} errorOf={errorOf} onChange={onChange} />
      <ScopeFields form={form} errorOf={errorOf} onChange={onChange} />
      <Fieldset legend="Policy">
        <PolicyFields policy={form.policy} error={errorOf('policy')} onChange={onChange} />
      </Fieldset>
    </div>
  );
}

function NameFields({ form, errorOf, onChange }: PartProps) {
  return (
    <div className={classes.two}>
      <TextInput
        label="Name"
        value={form.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={errorOf('name')}
        required
        maxLength={128}
        data-autofocus
      />
      <NativeSelect
        label="Environment"
        data={[...ENVIRONMENTS]}
        value={form.environment}
        onChange={(event) => onChange({ environment: event.currentTarget.value as KeyForm['environment'] })}
        error={errorOf('environment')}
      />
    </div>
  );
}

function LimitFields({ form, errorOf, onChange }: PartProps) {
  return (
    <Fieldset legend="Limits">
      <div className={classes.limits}>
        <Limit
          label="Requests"
          value={form.requests}
          period={form.requestsPeriod}
          error={errorOf('rateLimit')}
          onValue={(requests) => onChange({ requests })}
          onPeriod={(requestsPeriod) => onChange({ requestsPeriod })}
        />
        <Count
          label="Burst"
          none="Same as requests"
          value={form.burst}
          error={errorOf('rateLimit.burst')}
          onChange={(burst) => onChange({ burst })}
        />
        <Limit
          label="Tokens"
          value={form.tokens}
          period={form.tokensPeriod}
          error={errorOf('tokenLimit')}
          onValue={(tokens) => onChange({ tokens })}
          onPeriod={(tokensPeriod) => onChange({ tokensPeriod })}
        />
        <Limit
          label="Budget, US dollars"
          value={form.usd}
          period={form.usdPeriod}
          decimals={6}
          error={errorOf('budget')}
          onValue={(usd) => onChange({ usd })}
          onPeriod={(usdPeriod) => onChange({ usdPeriod })}
        />
        <Count
          label="Concurrent requests"
          value={form.maxConcurrent ?? ''}
          none={form.maxConcurrent === undefined ? "The deployment's default" : 'No limit'}
          error={errorOf('maxConcurrent')}
          onChange={(maxConcurrent) => onChange({ maxConcurrent })}
        />
        <StoreFailureField form={form} onChange={onChange} />
      </div>
    </Fieldset>
  );
}

function StoreFailureField({ form, onChange }: Pick<PartProps, 'form' | 'onChange'>) {
  return (
    <NativeSelect
      label="While the limits store is unavailable"
      data={[
        { value: 'closed', label: 'Refuse requests' },
        { value: 'open', label: 'Allow requests' },
      ]}
      value={form.onStoreFailure}
      onChange={(event) => onChange({ onStoreFailure: event.currentTarget.value as KeyForm['onStoreFailure'] })}
    />
  );
}

function ScopeFields({ form, errorOf, onChange }: PartProps) {
  return (
    <Fieldset legend="Restrictions">
      <div className={classes.stack}>
        <ListField
          label="IP addresses or CIDR blocks"
          description="Empty: any"
          values={form.ipWhitelist}
          onChange={(ipWhitelist) => onChange({ ipWhitelist })}
          error={errorOf('ipWhitelist')}
        />
        <ListField
          label="Models"
          description="For example gpt-6-sol* or anthropic/*. Empty: any"
          values={form.allowedModels}
          onChange={(allowedModels) => onChange({ allowedModels })}
          error={errorOf('allowedModels')}
        />
        <ListField
          label="Tags"
          description="In the form name=value"
          values={form.tags}
          onChange={(tags) => onChange({ tags })}
          error={errorOf('tags')}
        />
        <div className={classes.two}>
          <TextInput
            type="datetime-local"
            step={1}
            label="Expires"
            description="Empty: never"
            value={form.expiresAt}
            onChange={(event) => onChange({ expiresAt: event.currentTarget.value })}
            error={errorOf('expiresAt')}
          />
        </div>
        <Checkbox.Group
          label="Excluded permissions"
          description="Exclusions override permissions"
          value={[...form.excludePermissions]}
          onChange={(excluded) => onChange({ excludePermissions: excluded as Permission[] })}
          error={errorOf('excludePermissions')}
        >
          <Checks />
        </Checkbox.Group>
      </div>
    </Fieldset>
  );
}

interface ListFieldProps {
  readonly label: string;
  readonly description: string;
  readonly values: readonly string[];
  readonly error: string | undefined;
  onChange(values: string[]): void;
}

function ListField({ values, ...props }: ListFieldProps) {
  return <TagsInput {...props} value={[...values]} acceptValueOnBlur />;
}

function permissionLabel(permission: Permission): string {
  const note = PERMISSION_NOTES[permission];
  return note === undefined ? PERMISSION_NAMES[permission] : `${PERMISSION_NAMES[permission]}: ${note}`;
}

function Checks(): ReactNode {
  return (
    <div className={classes.checks}>
      {PERMISSIONS.map((permission) => (
        <Checkbox key={permission} value={permission} label={permissionLabel(permission)} />
      ))}
    </div>
  );
}

interface PolicyFieldsProps {
  readonly policy: string;
  readonly error: string | undefined;
  onChange(changes: Partial<KeyForm>): void;
}

/** Settings of a key's policy that have a field; '' leaves the setting to the deployment's policy. */
const POLICY_CHOICES = [
  { name: 'preset', label: 'Preset', data: PRESETS },
  { name: 'capture', label: 'Captured texts', data: CAPTURES },
] as const;

function PolicyFields({ policy, error, onChange }: PolicyFieldsProps) {
  const settings = parseObject(policy);
  function choose(name: string, value: string) {
    const { [name]: _before, ...rest } = settings ?? {};
    onChange({ policy: JSON.stringify(value === '' ? rest : { [name]: value, ...rest }, null, 2) });
  }
  return (
    <div className={classes.stack}>
      {POLICY_CHOICES.map(({ name, label, data }) => (
        <NativeSelect
          key={name}
          label={label}
          data={data}
          value={typeof settings?.[name] === 'string' ? settings[name] : ''}
          disabled={settings === undefined}
          onChange={(event) => choose(name, event.currentTarget.value)}
        />
      ))}
      <Textarea
        label="Full policy as JSON"
        description="Thresholds, custom rules and more."
        value={policy}
        onChange={(event) => onChange({ policy: event.currentTarget.value })}
        error={error}
        rows={5}
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
      />
    </div>
  );
}

interface CountProps {
  readonly label: string;
  /** Placeholder of an empty field. */
  readonly none?: string;
  readonly value: number | '';
  readonly error: string | undefined;
  readonly decimals?: number;
  onChange(value: number | ''): void;
}

function Count({ decimals = 0, none = 'No limit', onChange, ...props }: CountProps) {
  return (
    <NumberInput
      {...props}
      min={0}
      decimalScale={decimals}
      thousandSeparator=","
      placeholder={none}
      hideControls
      onChange={(value) => onChange(typeof value === 'number' ? value : '')}
    />
  );
}

interface LimitProps extends Omit<CountProps, 'onChange'> {
  readonly period: Period;
  onValue(value: number | ''): void;
  onPeriod(period: Period): void;
}

function Limit({ label, period, onValue, onPeriod, ...count }: LimitProps) {
  return (
    <div className={classes.limit}>
      <Count {...count} label={label} onChange={onValue} />
      <NativeSelect
        aria-label={`${label}: period`}
        data={PER}
        value={period}
        onChange={(event) => onPeriod(event.currentTarget.value as Period)}
      />
    </div>
  );
}

/** Whether the field named by the server is this one or a member of it. */
function isAt(param: string, field: string): boolean {
  return param === field || param.startsWith(`${field}.`) || param.startsWith(`${field}[`);
}
