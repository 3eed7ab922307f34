import { lazy, Suspense } from 'react';
import { ErrorState, Loading } from '../parts/states.tsx';
import { useSession } from './session-context.tsx';
import { SignInPage } from './sign-in-page.tsx';

const Shell = lazy(() => import('../shell/shell.tsx'));

/** The dashboard to those who are signed in, else the way in. */
export function Gate() {
  const { session, error, retry } = useSession();
  if (session === undefined)
    return error === null ? <Loading label="Loading" /> : <ErrorState error={error} retry={retry} />;
  if (session === null) return <SignInPage />;
  return (
    <Suspense fallback={<Loading label="Loading" />}>
      <Shell />
    </Suspense>
  );
}
