/** A namespace that refuses every pod which is not `restricted`. */
export function namespaceManifest(name: string): object {
  const levels = ['enforce', 'warn', 'audit'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: Object.fromEntries(levels) as object } };
}
