/** A service as its addresses name it. */
export interface AddressedService {
  /** Also in signatures and in rights: `secretsmanager`. */
  readonly name: string;
  /** In `AWS_ENDPOINT_URL_...`: `SECRETS_MANAGER`. */
  readonly variable: string;
}

/** What addresses end with, by how regions' names begin (https://docs.aws.amazon.com/general/latest/gr/rande.html). */
const SUFFIXES = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
] as const;

/** Names that differ from service to service and region to region. */
const OTHER_NAMES = ['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'] as const;

/**
 * Where a service is reached, by region: where `AWS_ENDPOINT_URL_<SERVICE>` or `AWS_ENDPOINT_URL` says, else at AWS's own address.
 * @throws where other names of AWS's are asked for, and none is given: they are to be given as an address then
 */
export function awsEndpoint(
  { name, variable }: AddressedService,
  env: NodeJS.ProcessEnv = process.env,
): (region: string) => string {
  const set = env[`AWS_ENDPOINT_URL_${variable}`] || env.AWS_ENDPOINT_URL;
  if (set) return () => set;
  const other = OTHER_NAMES.find((option) => env[option]?.toLowerCase() === 'true');
  if (other !== undefined) throw new Error(`${other} is not read: name the address in AWS_ENDPOINT_URL_${variable}`);
  return (region) => {
    const [, suffix] = SUFFIXES.find(([start]) => region.startsWith(start)) ?? ['', 'amazonaws.com'];
    return `https://${name}.${region}.${suffix}`;
  };
}
