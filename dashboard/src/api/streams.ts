import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** A call with an API key whose result grows, and its result so far. It is aborted when the component is removed. */
export function useStreamed<T, V>(start: (variables: V, signal: AbortSignal) => AsyncGenerator<T, void>) {
  const [latest, setLatest] = useState<T>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const calling = useMutation({
    // A refused key here is the application's, not the session's.
    meta: { ownKey: true },
    mutationFn: async (variables: V) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      setLatest(undefined);
      try {
        for await (const soFar of start(variables, signal)) setLatest(soFar);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  });
  return { latest, calling, stop: () => abort.current?.abort() };
}

/** Yields the chunks of a body; cancels the request if the consumer stops early. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
