import { Button, Fieldset } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './policy.module.css';

interface RuleFieldsetProps {
  readonly name: string;
  readonly error: string | undefined;
  readonly children: ReactNode;
  onRemove(): void;
}

/** The fields of one rule, with the server's error and a button that removes the rule. */
export function RuleFieldset({ name, error, children, onRemove }: RuleFieldsetProps) {
  return (
    <Fieldset legend={name}>
      <div className={classes.stack}>
        {error === undefined ? null : (
          <p className={classes.error} role="alert">
            {error}
          </p>
        )}
        {children}
        <div>
          <Button variant="default" size="xs" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </div>
      </div>
    </Fieldset>
  );
}
