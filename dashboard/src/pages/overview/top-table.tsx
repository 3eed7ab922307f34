import { Link } from 'wouter';
import { toSearch } from '../../api/client.ts';
import type { Group, Summary } from '../../api/types.ts';
import { formatCount, formatUsd } from '../../parts/format.ts';
import { Panel } from '../../parts/page.tsx';
import { type Range, writeRange } from '../../parts/time-range.ts';
import classes from './overview-page.module.css';
import { topGroups } from './series.ts';
import { useFigures } from './use-figures.ts';

interface TopTableProps {
  readonly title: string;
  readonly groupBy: Group;
  readonly range: Range;
  readonly environment: string;
  readonly isLive: boolean;
}

const ROWS = 8;

/** The groups with most requests. */
export function TopTable({ title, groupBy, range, environment, isLive }: TopTableProps) {
  const figures = useFigures<Summary>('/v1/analytics/summary', range, { environment, groupBy }, isLive);
  const groups = topGroups(figures.data?.groups ?? [], ROWS);
  return (
    <Panel title={title}>
      {figures.error !== null && figures.data === undefined ? (
        <p className={classes.none}>{figures.error.message}</p>
      ) : groups.length === 0 ? (
        <p className={classes.none}>{figures.data === undefined ? 'Loading…' : 'None in this time'}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Requests</th>
              <th scope="col">Blocked</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ group, label, requests, blocked, costUsd }) => (
              <tr key={group}>
                <th scope="row" title={group ?? ''}>
                  <Link href={`/threats${toSearch({ [groupBy]: group ?? '', ...writeRange(range) })}`}>
                    {label ?? group}
                  </Link>
                </th>
                <td>{formatCount(requests)}</td>
                <td>{formatCount(blocked)}</td>
                <td>{formatUsd(costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
