import { Button, Checkbox, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core';
import classes from './policy.module.css';
import {
  type CustomRule,
  faultyRule,
  NEW_RULE,
  rulesOf,
  type Settings,
  toLines,
  withSetting,
} from './policy-settings.ts';
import { RuleFieldset } from './rule-fieldset.tsx';

interface RuleFieldsProps {
  readonly settings: Settings;
  /** The server's error and its field. */
  readonly fault: { readonly param: string | undefined; readonly message: string } | undefined;
  onChange(settings: Settings): void;
}

/** Editor of custom rules. The server runs their tests on each save. */
export function RuleFields({ settings, fault, onChange }: RuleFieldsProps) {
  const rules = rulesOf(settings);
  const faulty = faultyRule(fault?.param);
  const put = (next: readonly CustomRule[]) =>
    onChange(withSetting(settings, ['rules'], next.length === 0 ? undefined : next));
  return (
    <div className={classes.stack}>
      {rules.length === 0 ? (
        <p>No custom rules yet. Use one for your own terms, such as project names or part numbers.</p>
      ) : null}
      {rules.map((rule, at) => (
        <OneRule
          // Keyed by index, since the id is edited; removing a rule resets all.
          key={`${rules.length}/${at}`}
          rule={rule}
          name={rule.id === '' ? `New rule ${at + 1}` : rule.id}
          error={faulty === at ? fault?.message : undefined}
          onChange={(changed) => put(rules.with(at, changed))}
          onRemove={() => put(rules.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button variant="default" onClick={() => put([...rules, NEW_RULE])}>
          Add rule
        </Button>
      </div>
    </div>
  );
}

interface OneRuleProps {
  readonly rule: CustomRule;
  readonly name: string;
  readonly error: string | undefined;
  onChange(rule: CustomRule): void;
  onRemove(): void;
}

const SURFACES = ['input', 'user', 'tool', 'system', 'output'];

function OneRule({ rule, name, error, onChange, onRemove }: OneRuleProps) {
  return (
    <RuleFieldset name={name} error={error} onRemove={onRemove}>
      <RuleHead rule={rule} onChange={onChange} />
      <RuleMatch rule={rule} onChange={onChange} />
      <RuleSurfaces rule={rule} onChange={onChange} />
      <RuleTests rule={rule} onChange={onChange} />
    </RuleFieldset>
  );
}

interface PartProps {
  readonly rule: CustomRule;
  onChange(rule: CustomRule): void;
}

function RuleHead({ rule, onChange }: PartProps) {
  const isPattern = rule.pattern !== undefined;
  function setKind(kind: string) {
    const { pattern, literals, wholeWord, ...rest } = rule;
    onChange(
      kind === 'pattern'
        ? { ...rest, pattern: literals?.join('|') ?? '' }
        : { ...rest, literals: pattern ? [pattern] : [], ...(wholeWord === undefined ? {} : { wholeWord }) },
    );
  }

  return (
    <div className={classes.grid}>
      <TextInput
        label="Id"
        description="Reported as custom/<id>"
        value={rule.id}
        onChange={(event) => onChange({ ...rule, id: event.currentTarget.value })}
      />
      <NativeSelect
        label="Match by"
        description=" "
        data={[
          { value: 'literals', label: 'Words and phrases' },
          { value: 'pattern', label: 'Pattern (RE2)' },
        ]}
        value={isPattern ? 'pattern' : 'literals'}
        onChange={(event) => setKind(event.currentTarget.value)}
      />
      <NativeSelect
        label="Action"
        description=" "
        data={['flag', 'redact', 'block']}
        value={rule.action}
        onChange={(event) => onChange({ ...rule, action: event.currentTarget.value })}
      />
    </div>
  );
}

/** What the rule matches. */
function RuleMatch({ rule, onChange }: PartProps) {
  const isPattern = rule.pattern !== undefined;
  const set = (member: keyof CustomRule, value: unknown) => onChange(withMember(rule, [member], value));
  return (
    <>
      {isPattern ? (
        <TextInput
          label="Pattern"
          value={rule.pattern ?? ''}
          spellCheck={false}
          onChange={(event) => onChange({ ...rule, pattern: event.currentTarget.value })}
        />
      ) : (
        <TagsInput
          label="Words and phrases"
          value={[...(rule.literals ?? [])]}
          onChange={(literals) => onChange({ ...rule, literals })}
          acceptValueOnBlur
        />
      )}
      <div className={classes.checks}>
        <Checkbox
          label="Ignore case"
          checked={rule.ignoreCase === true}
          onChange={(event) => set('ignoreCase', event.currentTarget.checked || undefined)}
        />
        {isPattern ? null : (
          <Checkbox
            label="Whole words only"
            checked={rule.wholeWord === true}
            onChange={(event) => set('wholeWord', event.currentTarget.checked || undefined)}
          />
        )}
      </div>
    </>
  );
}

function RuleSurfaces({ rule, onChange }: PartProps) {
  return (
    <Checkbox.Group
      label="Where"
      description="None selected: requests and responses"
      value={[...(rule.surfaces ?? [])]}
      onChange={(surfaces) => onChange(withMember(rule, ['surfaces'], surfaces.length === 0 ? undefined : surfaces))}
    >
      <div className={classes.checks}>
        {SURFACES.map((surface) => (
          <Checkbox key={surface} value={surface} label={surface} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** Test texts, which the server runs on each save. */
function RuleTests({ rule, onChange }: PartProps) {
  const setTests = (member: 'match' | 'noMatch', text: string) =>
    onChange(withMember(rule, ['tests', member], toLines(text)));
  return (
    <div className={classes.grid}>
      <Textarea
        label="Must match"
        description="One text per line, tested on save"
        rows={2}
        defaultValue={rule.tests?.match?.join('\n') ?? ''}
        onChange={(event) => setTests('match', event.currentTarget.value)}
      />
      <Textarea
        label="Must not match"
        description="One text per line, tested on save"
        rows={2}
        defaultValue={rule.tests?.noMatch?.join('\n') ?? ''}
        onChange={(event) => setTests('noMatch', event.currentTarget.value)}
      />
    </div>
  );
}

function withMember(rule: CustomRule, path: readonly string[], value: unknown): CustomRule {
  return withSetting(rule as unknown as Settings, path, value) as unknown as CustomRule;
}
