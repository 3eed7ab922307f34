import { Fragment, type ReactNode, useState } from 'react';
import { type Form, formsOf, limitsOf, type Schema, typeOf } from './openapi-document.ts';
import classes from './reference.module.css';

/** A description: paragraphs with code between backticks. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('\n\n').map((paragraph) => <p key={paragraph}>{withCode(paragraph)}</p>);
}

function withCode(text: string) {
  return text.split('`').map((part, at) => {
    const key = `${at}`;
    return at % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>;
  });
}

/** The type, limits and description of a value. */
export function ValueNote({ schema, text = '' }: { readonly schema: Schema; readonly text?: string | undefined }) {
  const limits = limitsOf(schema);
  return (
    <>
      <code className={classes.type}>{typeOf(schema)}</code>
      {limits === '' ? '' : `, ${limits}`}
      {text === '' ? '' : '. '}
      {withCode(text)}
    </>
  );
}

/** The fields of a schema, and of what they contain. */
export function SchemaFields({ schema }: { readonly schema: Schema }) {
  const forms = formsOf(schema);
  if (forms.length === 0) return <ValueNote schema={schema} text={schema.description} />;
  return forms.map(({ label, fields }, at) => {
    const key = `${at}`;
    return (
      <div key={key}>
        {forms.length === 1 ? null : (
          <p className={classes.note}>
            Form {at + 1} of {forms.length} <code>{label}</code>
          </p>
        )}
        <ul className={classes.fields}>
          {fields.map((field) => (
            <FieldRow key={field.name} field={field} />
          ))}
        </ul>
      </div>
    );
  });
}

function FieldRow({ field: { name, schema, isRequired } }: { readonly field: Form['fields'][number] }) {
  return (
    <li>
      <strong>
        <code>{name}</code>
      </strong>{' '}
      {isRequired ? 'required ' : null}
      <ValueNote schema={schema} text={schema.description} />
      {formsOf(schema).length === 0 ? null : (
        <LazyDetails summary={`Fields of ${name}`} render={() => <SchemaFields schema={schema} />} />
      )}
    </li>
  );
}

/** Details that are rendered once they are opened: a schema may contain itself. */
export function LazyDetails({ summary, render }: { readonly summary: string; render(): ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? render() : null}
    </details>
  );
}
