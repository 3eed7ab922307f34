import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

/** What became of a change of several objects. */
export interface EachResult<Item, Done> {
  readonly done: readonly (readonly [Item, Done])[];
  readonly failed: readonly (readonly [Item, Error])[];
}

/** Changes objects one after another: a failure does not stop the others. `count` is how many were tried. */
export function useEach<Item, Done>(
  change: (item: Item) => Promise<Done>,
  onEnd: (result: EachResult<Item, Done>) => unknown,
) {
  const [count, setCount] = useState(0);
  const running = useMutation({
    mutationFn: async (items: readonly Item[]): Promise<EachResult<Item, Done>> => {
      const done: (readonly [Item, Done])[] = [];
      const failed: (readonly [Item, Error])[] = [];
      for (const [at, item] of items.entries()) {
        try {
          done.push([item, await change(item)]);
        } catch (error) {
          failed.push([item, error as Error]);
        }
        setCount(at + 1);
      }
      return { done, failed };
    },
    onSuccess: onEnd,
  });
  return { count, ...running };
}
