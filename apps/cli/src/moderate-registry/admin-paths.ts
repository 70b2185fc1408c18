/** Paths of the registry below the admin API. */
export function adminNodePath(nodeId: string): string {
  return `registry/nodes/${encodeURIComponent(nodeId)}`;
}

export function adminVersionPath(nodeId: string, version: string): string {
  return `${adminNodePath(nodeId)}/versions/${encodeURIComponent(version)}`;
}
