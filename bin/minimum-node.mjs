/** The oldest Node that svc runs on. */
export const MINIMUM_NODE = '22.19';

export function isNodeTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [minimumMajor, minimumMinor] = MINIMUM_NODE.split('.').map(Number);
  return major < minimumMajor || (major === minimumMajor && minor < minimumMinor);
}
