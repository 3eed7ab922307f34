import type { RequestDetail } from '../../api/client.ts';
import { formatMs } from '../../components/format.ts';
import classes from './requests.module.css';
import { toBars } from './timeline-bars.ts';

/** When each stage of a request began and ended, as bars over one axis. */
export function RequestTimeline({ record }: { readonly record: RequestDetail }) {
  const bars = toBars(record);
  const totalMs = Math.max(record.latencyMs, ...bars.map(({ endMs }) => endMs));
  return (
    <table className={classes.timeline}>
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">
            <span className={classes.axis}>
              <span>0 ms</span>
              <span>{formatMs(totalMs)}</span>
            </span>
          </th>
          <th scope="col">Start</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ name, tone, startMs, endMs, note }) => (
          <tr key={`${name}${startMs}`}>
            <th scope="row">
              {name}
              {note === undefined ? null : <span className={classes.barNote}>{note}</span>}
            </th>
            <td>
              <span className={classes.track} aria-hidden="true">
                <span
                  className={classes.bar}
                  data-tone={tone}
                  style={{
                    left: `${(startMs / totalMs) * 100}%`,
                    width: `${Math.max(0.4, ((endMs - startMs) / totalMs) * 100)}%`,
                  }}
                />
              </span>
            </td>
            <td>{formatMs(startMs)}</td>
            <td>{formatMs(endMs - startMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
