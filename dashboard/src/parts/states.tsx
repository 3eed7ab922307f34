import { Alert, Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import classes from './states.module.css';

/** What a page shows in the place of data: it is coming, there is none, it did not come, or it is not for this reader. */

export function Loading({ label }: { readonly label: string }) {
  return (
    <div className={classes.state} role="status">
      <Loader size="sm" aria-hidden="true" />
      <span>{label}…</span>
    </div>
  );
}

export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={classes.state}>
      <strong>{title}</strong>
      {children === undefined ? null : <div className={classes.text}>{children}</div>}
      {action}
    </div>
  );
}

export function ErrorState({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  if (error instanceof ApiError && error.status === 403) return <NoPermission />;
  return (
    <div className={classes.state} role="alert">
      <strong>This could not be loaded</strong>
      <div className={classes.text}>
        {error.message}
        <RequestId error={error} />
      </div>
      {retry === undefined ? null : (
        <Button variant="default" size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function NoPermission({ wanted = 'admin' }: { readonly wanted?: 'admin' | 'analytics' }) {
  return (
    <Empty title="Not for this key">
      The key that you signed in with lacks the permission <code>{wanted}</code>. Sign in with another one, or ask an
      administrator.
    </Empty>
  );
}

/** What went wrong with something that the reader did, brought into sight where he did it. Nothing where nothing did. */
export function ActionError({ error, title = 'Not done' }: { readonly error: Error | null; readonly title?: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <Alert ref={box} color="red" role="alert" title={title}>
      {error.message}
      <RequestId error={error} />
    </Alert>
  );
}

function RequestId({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiError) || error.requestId === undefined) return null;
  return (
    <div className={classes.id}>
      Request <code>{error.requestId}</code>
    </div>
  );
}
