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

/** styles.css locks scrolling: Mantine's lock adds a style element, which the page's Content Security Policy forbids. */
const theme = createTheme({
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } }),
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } },
  },
});

// The page is also served at `/`; its pages are below `/dashboard`.
if (window.location.pathname === '/') window.history.replaceState(null, '', `/dashboard${window.location.search}`);

const client = makeClient();

function makeClient(): QueryClient {
  const onError = (error: Error) => {
    // The session ended: it expired, or its key was revoked or changed.
    if (!(error instanceof ApiError) || error.status !== 401) return;
    setCsrfToken(undefined);
    queryClient.setQueryData(SESSION_QUERY, null);
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        // A wrong key typed by the user is reported beside its field; the session is not affected.
        if (mutation.options.meta?.ownKey !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Two retries if the service was unavailable or overloaded; none after a refusal.
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
      // Mantine would add style elements for variables and helper classes; styles.css and mantine-styles.ts have them as files.
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

/** The dashboard, or the sign-in page if there is no session. */
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
