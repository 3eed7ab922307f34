import './mantine-styles.ts';
import './styles.css';
import { createTheme, MantineProvider, Modal } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, isPassing, setCsrfToken } from './api/client.ts';
import { SESSION_QUERY, SessionProvider, useSession } from './api/session.tsx';
import { ErrorState, Loading } from './components/page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';

/** Scrolling is locked by styles.css: Mantine's own lock writes a style element, which the page's policy forbids. */
const theme = createTheme({
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } }),
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } },
  },
});

const client = makeClient();

function makeClient(): QueryClient {
  const onError = (error: Error) => {
    // The session ended: its key was revoked or changed, or its time is over.
    if (!(error instanceof ApiError) || error.status !== 401) return;
    setCsrfToken(undefined);
    queryClient.setQueryData(SESSION_QUERY, null);
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        // A wrong key that the user typed is reported beside its field; it is not the session's.
        if (mutation.options.meta?.ownKey !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Twice more where the service was out of reach or overloaded, never what it refused.
        retry: (failures, error) => failures < 2 && isPassing(error),
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
  return queryClient;
}

function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Its variables and helper classes would be style elements; styles.css and mantine-styles.ts have them as files.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client}>
        <SessionProvider>
          <Gate />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

const Shell = lazy(() => import('./shell.tsx'));

/** The dashboard to those who are signed in, else the way in. */
function Gate() {
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

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
