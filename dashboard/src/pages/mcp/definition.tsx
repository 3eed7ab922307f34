import { Stack } from '@mantine/core';
import shared from '../../components/components.module.css';
import { threatName } from '../../components/labels.ts';
import { MarkedText } from '../../components/text-box.tsx';
import { textAt } from '../../components/text-ranges.ts';
import { visibleText } from '../../components/visible-text.ts';
import { diffLines } from './line-diff.ts';
import classes from './mcp.module.css';
import type { Tool } from './server-form.ts';

/** The definition of a tool: texts with findings first, what has changed, and all of it with hidden characters shown. */
export function Definition({ tool }: { readonly tool: Tool }) {
  const { state, definition, approvedDefinition, fields, findings } = tool;
  const byField = Map.groupBy(findings, ({ field }) => field);
  return (
    <Stack gap="sm" mt="xs">
      {[...byField].map(([field, all]) => {
        const text = textAt({ definition }, field);
        if (text === undefined) return null;
        const ranges = all.map(({ type, rule, start, end }) => ({ start, end, title: `${threatName(type)}: ${rule}` }));
        return (
          <div key={field}>
            <code>{field.replace(/^definition\./, '')}</code>
            <MarkedText label={`Findings in ${field} of ${tool.tool}`} text={text} ranges={ranges} />
          </div>
        );
      })}
      {state === 'changed' ? (
        <p className={shared.hint}>
          Changed since it was approved: <code>{fields.join(', ')}</code>.
          {approvedDefinition == null ? ' The approved text is not kept: read the whole definition.' : null}
        </p>
      ) : null}
      {approvedDefinition == null ? (
        <MarkedText label={`Definition of ${tool.tool}`} text={shownText(definition)} ranges={[]} />
      ) : (
        <Change label={`Change of ${tool.tool}`} before={shownText(approvedDefinition)} after={shownText(definition)} />
      )}
    </Stack>
  );
}

/** Members in one order, so that another order of the server is no change. */
function shownText(definition: unknown): string {
  return JSON.stringify(definition, inOrder, 2)
    .split('\n')
    .map((line) => line.replace(/^ */, '') && `${/^ */.exec(line)?.[0]}${visibleText(line.trimStart())}`)
    .join('\n');
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

function Change({ label, before, after }: { readonly label: string; readonly before: string; readonly after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
    <section className={shared.markedBox} tabIndex={0} aria-label={label}>
      <pre className={shared.markedText}>
        {diffLines(before, after).map(({ kind, text }, at) => {
          const Line = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
          return (
            // A line has no other name than its place.
            <Line key={at} className={classes.line}>
              {SIGNS[kind]} {text}
            </Line>
          );
        })}
      </pre>
    </section>
  );
}
