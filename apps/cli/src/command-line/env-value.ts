/** An empty environment variable counts as unset. */
export function envValue(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  return env[name] || null;
}
