/** Teams, and who belongs to them by the claims of a token. */
export {
  createTeamSchema,
  MAX_TEAMS,
  type Team,
  type TeamsDocument,
  teamOf,
  teamSchema,
  updateTeamSchema,
} from './team.ts';
