/** How an option of the command line writes the value of a field. */
export type OptionFormat =
  /** Unchanged. */
  | 'text'
  /** Unchanged; may be repeated: a list. */
  | 'texts'
  | 'number'
  /** A whole number of at least 1. */
  | 'count'
  /** `a,b`; empty: an empty list. */
  | 'list'
  /** `600/minute`: the field's number and its `period`. */
  | 'amount/period'
  /** `name=value`; may be repeated. */
  | 'NAME=VALUE'
  /** A file with JSON; `-` is standard input. */
  | 'JSON file'
  /** `90s`, `30m`, `24h`, `7d`, or 0: seconds. */
  | 'duration'
  /** ISO 8601, or how long ago. */
  | 'time'
  /** Present or absent. */
  | 'switch';

/** The option of the command line for a field. */
export interface FieldOption {
  /** Without `--`. */
  readonly name: string;
  readonly format: OptionFormat;
  /** Placeholder in the help; none for a switch. */
  readonly value?: string;
  readonly help: string;
  /** The word `none` is null. */
  readonly none?: true;
}

/** What a field is called, and how it is set, where people set it. */
export interface FieldMeta {
  /** In the dashboard. */
  label?: string;
  /** Below the label, or in an empty field. */
  hint?: string;
  /** Its part of the dashboard's form of a key; without one it is at the top. */
  section?: 'Limits' | 'Restrictions' | 'Policy';
  option?: FieldOption;
  /** The values to offer, if the schema does not list them. */
  choices?: readonly string[];
  /** Names of the values in the dashboard. */
  choiceLabels?: Readonly<Record<string, string>>;
  /** The API accepts values besides the choices. */
  isOpen?: true;
}

declare module 'zod' {
  interface GlobalMeta extends FieldMeta {
    /** The JSON schema of the value as sent, where zod would write the steps of its parsing. */
    wire?: Readonly<Record<string, unknown>>;
  }
}
