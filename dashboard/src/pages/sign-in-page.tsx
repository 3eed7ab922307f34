import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { readSignInOptions, useSession } from '../api/session.tsx';
import { Logo } from '../components/icons.tsx';
import classes from './sign-in-page.module.css';

export function SignInPage() {
  const { signIn } = useSession();
  const [key, setKey] = useState('');
  const [saidBefore] = useState(takeOutcome);
  const entering = useMutation({
    mutationFn: signIn,
    meta: { ownKey: true },
    // Clears the key once it was sent, whatever the result.
    onSettled: () => setKey(''),
  });

  const said = entering.error === null ? saidBefore : sentenceOf(entering.error);
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Stack gap="lg">
          <div className={classes.brand}>
            <Logo />
            <h1>Sign in to svc</h1>
          </div>
          {said === undefined ? null : (
            <Alert color="red" role="alert" title="Sign-in failed">
              {said}
            </Alert>
          )}
          <OidcLink />
          <KeyForm
            value={key}
            isPending={entering.isPending}
            onChange={setKey}
            onSubmit={() => {
              if (key.trim() !== '') entering.mutate(key.trim());
            }}
          />
          <Text size="sm" c="dimmed">
            The first start on one machine prints the first admin key once. On AWS, create it with{' '}
            <code>npm run admin -- keys create-admin</code>. If it is lost, run <code>svc admin-key --local</code> or{' '}
            <code>npm run admin-key -- --local</code> on the machine of a local run, with its <code>SVC_DATA_DIR</code>.
          </Text>
        </Stack>
      </div>
    </main>
  );
}

/** Sign-in through an identity provider, if the deployment has one. */
function OidcLink() {
  const options = useQuery({ queryKey: ['session-options'], queryFn: ({ signal }) => readSignInOptions(signal) });
  const oidc = options.data?.oidc;
  if (oidc == null) return null;
  return (
    <>
      <Button component="a" href={oidc.startUrl} variant="default" fullWidth>
        Sign in with {oidc.label}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        or
      </Text>
    </>
  );
}

interface KeyFormProps {
  readonly value: string;
  readonly isPending: boolean;
  onChange(value: string): void;
  onSubmit(): void;
}

function KeyForm({ value, isPending, onChange, onSubmit }: KeyFormProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="md">
        <PasswordInput
          label="Admin or analytics key"
          description="Exchanged for a session cookie. This page does not store it."
          placeholder="svc_sk_…"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
          autoFocus
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  refused: 'None of your groups may use this dashboard. Ask an administrator.',
  failed: 'The sign-in failed or took too long. Try again.',
};

/** The result of a sign-in at the identity provider, read from the URL and removed from it. */
function takeOutcome(): string | undefined {
  const search = new URLSearchParams(window.location.search);
  const outcome = search.get('signIn');
  if (outcome === null) return undefined;
  search.delete('signIn');
  const rest = search.toString();
  window.history.replaceState(null, '', `${window.location.pathname}${rest === '' ? '' : `?${rest}`}`);
  return OUTCOMES[outcome] ?? OUTCOMES.failed;
}

function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Sign-in failed. Try again.';
  if (error.status === 401) return 'This key is unknown, disabled, expired or revoked.';
  if (error.status === 403)
    return 'This key may not use the dashboard. It needs the permission analytics or admin, and must allow your IP address.';
  if (error.status === 429) return 'Too many attempts. Try again in a minute.';
  return error.message;
}
