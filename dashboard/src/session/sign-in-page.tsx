import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { Logo } from '../parts/icons.tsx';
import { readSignInOptions } from './session-api.ts';
import { useSession } from './session-context.tsx';
import classes from './sign-in-page.module.css';

export function SignInPage() {
  const { signIn } = useSession();
  const [key, setKey] = useState('');
  const options = useQuery({ queryKey: ['session-options'], queryFn: ({ signal }) => readSignInOptions(signal) });
  const entering = useMutation({
    mutationFn: signIn,
    meta: { ownKey: true },
    // The key is forgotten as soon as it has been sent, whatever came of it.
    onSettled: () => setKey(''),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (key.trim() !== '') entering.mutate(key.trim());
  }

  const oidc = options.data?.oidc;
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Stack gap="lg">
          <div className={classes.brand}>
            <Logo />
            <h1>Sign in to svc</h1>
          </div>
          {entering.error === null ? null : (
            <Alert color="red" role="alert" title="Not signed in">
              {sentenceOf(entering.error)}
            </Alert>
          )}
          {oidc == null ? null : (
            <>
              <Button component="a" href={oidc.startUrl} variant="default" fullWidth>
                Sign in with {oidc.label}
              </Button>
              <Text size="sm" c="dimmed" ta="center">
                or
              </Text>
            </>
          )}
          <form onSubmit={submit} autoComplete="off">
            <Stack gap="md">
              <PasswordInput
                label="Admin or analytics key"
                description="Exchanged for a session cookie and not kept by this page."
                placeholder="svc_sk_…"
                value={key}
                onChange={(event) => setKey(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
                autoFocus
                required
                withAsterisk={false}
              />
              <Button type="submit" loading={entering.isPending} fullWidth>
                Sign in
              </Button>
            </Stack>
          </form>
          <Text size="sm" c="dimmed">
            The first admin key is printed once by the first <code>npm start</code>, or made with{' '}
            <code>npm run admin-key</code>.
          </Text>
        </Stack>
      </div>
    </main>
  );
}

function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong.';
  if (error.status === 401) return 'This key is unknown, disabled, expired or revoked.';
  if (error.status === 403)
    return 'This key may not see the dashboard: it needs the permission analytics or admin, from this address.';
  if (error.status === 429) return 'Too many attempts. Wait a minute, then try again.';
  return error.message;
}
