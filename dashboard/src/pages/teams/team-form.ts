import type { BodyOf, RowOf } from '../../../../functions/contract/index.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

export type Team = RowOf<'listTeams'>;
type TeamBody = BodyOf<'createTeam'>;
type Member = Team['members'][number];

/** A member's claims are texts such as `email=*@example.com`; several values of a claim are several texts. */
const MEMBERS: FormField = {
  name: 'members',
  label: 'Members',
  hint: 'Who belongs to the team, by the claims of the identity provider. The first that matches gives the role.',
  kind: 'rows',
  fields: [
    { name: 'match', label: 'Claims, all of which match', hint: 'In the form email=*@example.com', kind: 'list' },
    {
      name: 'role',
      label: 'Role',
      kind: 'select',
      // Shows the first one until another is chosen.
      choices: ['owner', 'member', 'viewer'] satisfies Member['role'][],
    },
  ],
};

/** The fields of a team in its dialogs. */
export const FIELDS: readonly FormField[] = OPERATIONS.createTeam.body.map((field) =>
  field.name === MEMBERS.name ? MEMBERS : field,
);

/** The form of a team; of a new one without it. */
export function toTeamForm(team: Partial<Team> = {}): Form {
  const members = (team.members ?? []).map(({ match, role }) => ({ role, match: textsOf(match) }));
  return toForm(FIELDS, { ...defaultsOf(FIELDS), ...team, members });
}

function textsOf(match: Member['match']): string[] {
  return Object.entries(match).flatMap(([claim, globs]) => globs.map((glob) => `${claim}=${glob}`));
}

/** The body of a form, or its first invalid field. */
export function toTeamBody(form: Form): Made<TeamBody> {
  const made = toBody<TeamBody>(FIELDS, form, { name: 'Enter a name.' });
  if ('fault' in made) return made;
  const rows = (made.body.members ?? []) as unknown as readonly { match?: readonly string[]; role?: Member['role'] }[];
  const members: Member[] = [];
  for (const [at, { match: texts = [], role = 'owner' }] of rows.entries()) {
    const wrong = texts.find((text) => text.indexOf('=') < 1);
    if (texts.length === 0 || wrong !== undefined) {
      const message = wrong === undefined ? 'Enter a claim.' : `“${wrong}” is not claim=value.`;
      return { fault: { param: `members[${at}].match`, message } };
    }
    members.push({ role, match: toMatch(texts) });
  }
  return { body: { ...made.body, members } };
}

function toMatch(texts: readonly string[]): Member['match'] {
  const pairs = texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const);
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([claim]) => claim)].map(([claim, all]) => [claim, all.map(([, glob]) => glob)]),
  );
}
