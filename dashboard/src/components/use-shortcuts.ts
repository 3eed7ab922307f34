import { useEffect, useRef } from 'react';

/** Time for the second key of a sequence. */
const SEQUENCE_MS = 1_000;

/**
 * Runs actions for keys: `/`, `?`, `mod+k`, or a sequence such as `g r`. Keys typed into fields or dialogs, and those with a modifier, are left
 * to the browser.
 */
export function useShortcuts(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    let begun: { readonly key: string; readonly atMs: number } | undefined;
    function onKey(event: KeyboardEvent) {
      const run = (name: string): boolean => {
        const action = current.current[name];
        if (action === undefined) return false;
        event.preventDefault();
        action();
        return true;
      };
      if ((event.metaKey || event.ctrlKey) && event.key === 'k') {
        run('mod+k');
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTaken(event.target)) return;
      const before = begun !== undefined && event.timeStamp - begun.atMs < SEQUENCE_MS ? begun.key : undefined;
      begun = { key: event.key, atMs: event.timeStamp };
      if (before !== undefined && run(`${before} ${event.key}`)) begun = undefined;
      else run(event.key);
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [role="dialog"]') !== null;
}
