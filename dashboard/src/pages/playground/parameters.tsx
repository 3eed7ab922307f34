import { NativeSelect, TextInput } from '@mantine/core';
import classes from './playground.module.css';
import { DECIMAL, type Parameters, WHOLE } from './request-body.ts';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high'];

interface ParameterFieldsProps {
  readonly parameters: Parameters;
  onChange(parameters: Parameters): void;
}

/** Parameters of a request; those left empty are not sent. */
export function ParameterFields({ parameters, onChange }: ParameterFieldsProps) {
  const { temperature, maxTokens, effort } = parameters;
  return (
    <div className={classes.parameters}>
      <TextInput
        label="Temperature"
        placeholder="Not sent"
        inputMode="decimal"
        value={temperature}
        error={DECIMAL.test(temperature) ? undefined : 'Not a number'}
        onChange={(event) => onChange({ ...parameters, temperature: event.currentTarget.value })}
      />
      <TextInput
        label="Max tokens"
        placeholder="Not sent"
        inputMode="numeric"
        value={maxTokens}
        error={WHOLE.test(maxTokens) ? undefined : 'Not a whole number'}
        onChange={(event) => onChange({ ...parameters, maxTokens: event.currentTarget.value })}
      />
      <NativeSelect
        label="Reasoning effort"
        data={[{ value: '', label: 'Not sent' }, ...EFFORTS]}
        value={effort}
        onChange={(event) => onChange({ ...parameters, effort: event.currentTarget.value })}
      />
    </div>
  );
}
