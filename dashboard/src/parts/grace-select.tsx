import { NativeSelect } from '@mantine/core';

const GRACES = [
  { value: '0', label: 'None: the old secret ends now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

export const DEFAULT_GRACE_SECONDS = 86_400;

interface GraceSelectProps {
  readonly seconds: number;
  onChange(seconds: number): void;
}

/** How long a secret stays valid beside the one that takes its place. */
export function GraceSelect({ seconds, onChange }: GraceSelectProps) {
  return (
    <NativeSelect
      label="The old secret stays valid for"
      data={GRACES}
      value={String(seconds)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
