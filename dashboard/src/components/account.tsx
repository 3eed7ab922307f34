import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ResponseOf } from '../../../functions/contract/index.ts';
import { useSession } from '../api/session.tsx';
import classes from '../shell.module.css';
import { TIME_ZONE } from './format.ts';
import { Icon } from './icons.tsx';
import { capitalised } from './labels.ts';

const SCHEMES = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The role in the deployment, and the one in the team. */
function rolesOf({ permissions, team }: ResponseOf<'getDashboardSession'>): string {
  const named = [
    ['admin', 'Administrator'],
    ['security', 'Security'],
    ['operator', 'Operator'],
    ['analytics', 'Analytics'],
  ] as const;
  const [role] = named.flatMap(([permission, name]) => (permissions.includes(permission) ? [name] : []));
  const inTeam = team && (team.role === null ? `Team ${team.name}` : `${capitalised(team.role)} of ${team.name}`);
  return [role, inTeam].filter((text) => text).join(', ');
}

/** Who is signed in, the colour scheme, the documentation and the way out. */
export function Account() {
  const { session, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: signOut });
  if (session == null) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-md" className={classes.account ?? ''}>
          <Icon name="keys" size={16} />
          <span className={classes.name}>{session.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as {session.name}
          <Text size="xs">{rolesOf(session)}</Text>
          <Text size="xs">Times in {TIME_ZONE}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Colour scheme</Menu.Label>
        {SCHEMES.map(([scheme, name]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={
              <Icon name={colorScheme === scheme ? 'check' : scheme === 'dark' ? 'moon' : 'sun'} size={16} />
            }
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} href="/docs">
          Documentation
        </Menu.Item>
        <Menu.Item component={Link} href="/docs/api">
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => leaving.mutate()}>
          {leaving.error === null ? 'Sign out' : 'Sign out: try again'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
