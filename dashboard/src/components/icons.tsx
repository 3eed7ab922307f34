/** Inline icons. All are decoration beside a text or a label. */
const PATHS = {
  overview: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
  requests: 'M4 6h16M4 12h16M4 18h10',
  threats: 'M12 3l9 16H3zM12 10v4M12 16.5v.5',
  sessions: 'M4 5h16v11H9l-5 4z',
  tools:
    'M14.500 6.500a4 4 0 0 1 5-3l-2.500 2.500 1 2 2 1 2.500-2.500a4 4 0 0 1-5.500 4.500l-8 8a2 2 0 0 1-3-3l8-8a4 4 0 0 1 .5-1.500z',
  mcp: 'M4 5h16v6H4zM8 8v.01M12 11v4M7 19h10M12 15v4M7 17v4M17 17v4',
  approvals: 'M4 4h16v16H4zM8 12.500l3 3 5.500-6',
  keys: 'M15.5 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10M12 12l-8.5 8.5M6.5 18l2.5 2.5M16.5 7.5v.01',
  teams:
    'M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7M3 20c0-3.500 2.500-5.500 6-5.500s6 2 6 5.500M16 5.500a3 3 0 0 1 0 6M17.500 14.500c2.300.6 3.500 2.500 3.500 5.500',
  identities:
    'M3 5h18v14H3zM8.500 9a2 2 0 1 0 0 4 2 2 0 0 0 0-4M5.500 16.500c.5-1.500 1.500-2 3-2s2.500.5 3 2M14 10h4M14 14h4',
  alerts: 'M6 17h12M7.500 17V11a4.500 4.500 0 0 1 9 0v6M12 6.500V4M10.500 20h3',
  webhooks: 'M4 12h6M14 6l6 6-6 6M10 12h10',
  policy: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M14 4v4M8 10v4M14 16v4',
  audit: 'M6 3h9l4 4v14H6zM9 11h7M9 15h7',
  providers: 'M4 4h16v6H4zM4 14h16v6H4zM8 7v.01M8 17v.01',
  prices: 'M4 4h8l8 8-8 8-8-8zM8.500 8.500v.01',
  spend:
    'M12 3v18M16.500 7.500c-1-1.500-2.500-2-4.500-2-2.500 0-4.500 1.200-4.500 3.200 0 4.600 9.500 2.200 9.500 6.800 0 2-2 3.200-5 3.200-2.200 0-4-.8-5-2.400',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.600l2.1 2.100M16.3 16.300l2.1 2.100M18.4 5.600l-2.1 2.100M7.7 16.300l-2.1 2.100',
  playground: 'M8 5l11 7-11 7z',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.500 15.500L21 21',
  check: 'M5 12.500l4.5 4.500L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.600L19 19M19 5l-1.4 1.400M6.4 17.600L5 19',
  moon: 'M20 14.500A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.500z',
  plus: 'M12 5v14M5 12h14',
  more: 'M12 5.500v.01M12 12v.01M12 18.500v.01',
  sort: 'M8 9l4-4 4 4M8 15l4 4 4-4',
  ascending: 'M6 14l6-6 6 6',
  descending: 'M6 10l6 6 6-6',
  start: 'M5 21V4l14 4-14 5',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo({ size = 28 }: { readonly size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={size} height={size} />;
}
