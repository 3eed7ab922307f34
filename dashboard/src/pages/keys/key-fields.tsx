import { Checkbox, Fieldset, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Permission } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { FieldControl, messageAt } from '../../components/field-control.tsx';
import { type Form, type FormFault, parseObject } from '../../components/field-form.ts';
import { CAPTURE_NAMES, PERMISSION_NAMES, PERMISSION_NOTES } from '../../components/labels.ts';
import classes from './keys.module.css';

interface KeyFieldsProps extends PartFieldsProps {
  /** Shows what most keys need, and folds the rest. */
  readonly isNew: boolean;
}

interface PartFieldsProps {
  readonly form: Form;
  /** The error that the server or the form reports. */
  readonly fault: FormFault | undefined;
  onChange(changes: Form): void;
}

interface PartProps extends PartFieldsProps {
  readonly fields: readonly FormField[];
}

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

/** Settings that owners of a team cannot set. */
const ADMINISTERED: ReadonlySet<string> = new Set(['policy', 'tags', 'credentialId', 'onStoreFailure', 'teamId']);

/** Permissions that owners of a team cannot give. */
const OF_ADMINISTRATORS: ReadonlySet<string> = new Set(['approvals', 'security', 'operator', 'admin']);

/** Every setting of a key, in the section that its declaration names. */
export function KeyFields({ isNew, form, fault, onChange }: KeyFieldsProps) {
  const teams = useQuery({ ...reading('listTeams', {}), enabled: useMay('listTeams') }).data?.data ?? [];
  const isAdmin = useMay('createTeam');
  const [fields, ofNew] = [OPERATIONS.updateKey.body, OPERATIONS.createKey.body].map((all) =>
    isAdmin ? all : all.filter(({ name }) => !ADMINISTERED.has(name)),
  ) as [readonly FormField[], readonly FormField[]];
  // An untouched field of a new key says what the API will set.
  const shown = ofNew.map((field) => (form[field.name] === undefined ? field : withHint(field, fields)));
  const named = shown.map((field) => (field.name === 'teamId' && teams.length > 0 ? ofTeams(field, teams) : field));
  const isFirst = ({ name, section }: FormField) => (isNew ? FIRST.includes(name) : section === undefined);
  const ofForm = { form, fault, onChange };
  const part = (section: string | undefined, isChoices: boolean) => ({
    fields: named.filter(
      (field) =>
        field.section === section && (field.kind === 'choices') === isChoices && (isChoices || !isFirst(field)),
    ),
    ...ofForm,
  });
  const first = named.filter((field) => isFirst(field) && field.kind !== 'choices');
  if (isNew) first.sort((a, b) => FIRST.indexOf(a.name) - FIRST.indexOf(b.name));
  const more = (
    <div className={classes.fields}>
      <Permissions {...part(undefined, true)} />
      <Fieldset legend="Limits">
        <div className={classes.limits}>
          <Controls {...part('Limits', false)} />
        </div>
      </Fieldset>
      <Fieldset legend="Restrictions">
        <div className={classes.stack}>
          <Controls {...part('Restrictions', false)} />
          <Permissions {...part('Restrictions', true)} />
        </div>
      </Fieldset>
      {isAdmin ? (
        <Fieldset legend="Policy">
          <div className={classes.stack}>
            <PolicyChoices policy={form.policy as string} onChange={onChange} />
            <Controls {...part('Policy', false)} />
          </div>
        </Fieldset>
      ) : null}
    </div>
  );
  return (
    <div className={classes.fields}>
      <div className={classes.two}>
        <Controls fields={first} {...ofForm} />
      </div>
      {isNew ? (
        // A fault may be in what is folded.
        <details open={isFolded(fault) ? true : undefined}>
          <summary className={classes.summary}>Permissions, further limits, restrictions and policy</summary>
          {more}
        </details>
      ) : (
        more
      )}
    </div>
  );
}

/** What most new keys need, in this order. */
const FIRST: readonly string[] = ['name', 'environment', 'teamId', 'rateLimit', 'budget'];

function isFolded(fault: FormFault | undefined): boolean {
  return fault !== undefined && !FIRST.includes(fault.param.split('.')[0] as string);
}

/** The choice of a team by its name. */
function ofTeams(field: FormField, teams: readonly { readonly id: string; readonly name: string }[]): FormField {
  const { hint: _, ...rest } = field;
  const choiceLabels = Object.fromEntries(teams.map(({ id, name }) => [id, name]));
  return { ...rest, kind: 'select', choices: teams.map(({ id }) => id), choiceLabels };
}

function withHint(field: FormField, others: readonly FormField[]): FormField {
  const hint = others.find(({ name }) => name === field.name)?.hint;
  return hint === undefined ? field : { ...field, hint };
}

/** The controls of fields, and of the fields in them. */
function Controls({ fields, form, fault, onChange }: PartProps) {
  const places = fields.flatMap((field) => [
    { at: field.name, field },
    ...(field.fields ?? []).map((inner) => ({ at: `${field.name}.${inner.name}`, field: inner })),
  ]);
  return places.map(({ at, field }) => {
    const control = (
      <FieldControl
        key={at}
        {...{ field, value: form[at], error: messageAt(fault, at), isFirst: at === 'name' }}
        onChange={(value) => onChange({ [at]: value })}
      />
    );
    return field.kind === 'time' ? (
      <div key={at} className={classes.two}>
        {control}
      </div>
    ) : (
      control
    );
  });
}

/** A checkbox for each permission. */
function Permissions({ fields, form, fault, onChange }: PartProps) {
  const isAdmin = useMay('createTeam');
  return fields.map(({ name, label, hint, choices = [] }) => (
    <Checkbox.Group
      key={name}
      label={label}
      description={hint}
      value={[...(form[name] as readonly string[])]}
      onChange={(permissions) => onChange({ [name]: permissions })}
      error={messageAt(fault, name)}
    >
      <div className={classes.checks}>
        {(isAdmin ? choices : choices.filter((one) => !OF_ADMINISTRATORS.has(one))).map((permission) => (
          <Checkbox key={permission} value={permission} label={permissionLabel(permission as Permission)} />
        ))}
      </div>
    </Checkbox.Group>
  ));
}

function permissionLabel(permission: Permission): string {
  const note = PERMISSION_NOTES[permission];
  return note === undefined ? PERMISSION_NAMES[permission] : `${PERMISSION_NAMES[permission]}: ${note}`;
}

/** Settings of a key's policy that have a field; '' leaves the setting to the deployment's policy. */
const POLICY_CHOICES = [
  { name: 'preset', label: 'Preset', data: PRESETS },
  { name: 'capture', label: 'Captured texts', data: CAPTURES },
] as const;

function PolicyChoices({ policy, onChange }: { readonly policy: string; readonly onChange: (changes: Form) => void }) {
  const settings = parseObject(policy);
  function choose(name: string, value: string) {
    const { [name]: _before, ...rest } = settings ?? {};
    onChange({ policy: JSON.stringify(value === '' ? rest : { [name]: value, ...rest }, null, 2) });
  }
  return POLICY_CHOICES.map(({ name, label, data }) => (
    <NativeSelect
      key={name}
      label={label}
      data={data}
      value={typeof settings?.[name] === 'string' ? settings[name] : ''}
      disabled={settings === undefined}
      onChange={(event) => choose(name, event.currentTarget.value)}
    />
  ));
}
