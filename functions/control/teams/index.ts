/** Teams: what a team adds to its keys. */
export { LiveTeams } from './live-teams.ts';
