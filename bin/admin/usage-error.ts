/** A call that cannot be meant as it stands: told with how it is made, exit code 2. Quotes no argument, which may be a secret. */
export class UsageError extends Error {}
