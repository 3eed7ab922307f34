import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change of providers, credentials or routes, after which all data is read again: each of them shows the others. */
export function useChange<Input = void>(change: (input: Input) => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries();
      onDone();
    },
  });
}
