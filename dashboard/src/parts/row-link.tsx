import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './row-link.module.css';

/** The link of a row, which a click anywhere in the row follows too. */
export function RowLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={classes.link}>
      {children}
    </Link>
  );
}

export function RowButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={classes.link} onClick={onClick}>
      {children}
    </button>
  );
}

/** One line that ends in … where it is too long, whole in its title. */
export function OneLine({ text }: { readonly text: string }) {
  return (
    <span className={classes.line} title={text}>
      {text}
    </span>
  );
}
