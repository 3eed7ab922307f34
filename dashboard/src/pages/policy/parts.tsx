import { type ReactNode, useEffect, useState } from 'react';
import { useUrlState } from '../../components/url-state.ts';
import classes from './policy.module.css';

/** The parts of the page, from top to bottom. */
const TITLES = {
  general: 'General',
  types: 'Finding types',
  rules: 'Custom rules',
  tools: 'Tools',
  presets: 'Presets',
  json: 'JSON',
  effective: 'In force',
} as const;
type PartId = keyof typeof TITLES;
const IDS = Object.keys(TITLES) as PartId[];

/** Which folded parts are open. */
export interface Parts {
  readonly open: ReadonlySet<PartId>;
  toggle(id: PartId, isOpen: boolean): void;
  /** Opens a part and scrolls to it. */
  show(id: PartId): void;
}

/** The parts, of which one is shown first: that of the URL's `part`, or else `first`. */
export function useParts(first: PartId | undefined): Parts {
  const [read] = useUrlState();
  const [begin] = useState(() => IDS.find((id) => id === read('part')) ?? first);
  const [open, setOpen] = useState<ReadonlySet<PartId>>(new Set(begin === undefined ? [] : [begin]));
  const [wanted, setWanted] = useState(begin);
  useEffect(() => {
    if (wanted === undefined) return;
    document.getElementById(wanted)?.scrollIntoView();
    setWanted(undefined);
  }, [wanted]);
  const toggle = (id: PartId, isOpen: boolean) =>
    setOpen((before) => new Set(isOpen ? [...before, id] : [...before].filter((one) => one !== id)));
  return {
    open,
    toggle,
    show: (id) => {
      toggle(id, true);
      setWanted(id);
    },
  };
}

export function PartLinks({ parts }: { readonly parts: Parts }) {
  return (
    <nav aria-label="Parts of the policy" className={classes.partLinks}>
      {IDS.map((id) => (
        <button key={id} type="button" onClick={() => parts.show(id)}>
          {TITLES[id]}
        </button>
      ))}
    </nav>
  );
}

interface PartProps {
  readonly id: PartId;
  /** Of a part that is folded. */
  readonly parts?: Parts;
  readonly children: ReactNode;
}

export function Part({ id, parts, children }: PartProps) {
  if (parts === undefined) {
    return (
      <section id={id} className={classes.part} aria-labelledby={`${id}-title`}>
        <h3 id={`${id}-title`}>{TITLES[id]}</h3>
        {children}
      </section>
    );
  }
  const isOpen = parts.open.has(id);
  return (
    <details
      id={id}
      className={classes.part}
      open={isOpen}
      onToggle={(event) => parts.toggle(id, event.currentTarget.open)}
    >
      <summary>
        <h3>{TITLES[id]}</h3>
      </summary>
      {isOpen ? children : null}
    </details>
  );
}
