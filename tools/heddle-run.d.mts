/** Types of the launcher for its spec: the launcher itself runs before anything can be compiled. */
export function launch(target: string, args: readonly string[]): Promise<void>;
export function startBuilt(target: string, args: readonly string[]): Promise<void>;
export function installedMatches(root: string, lockfile: object): boolean;
export function pinnedNode(root: string, platform?: string, arch?: string, version?: string): string;
export function takeLock(path: string, staleMs?: number): Promise<() => void>;
export function runInstallScripts(root: string): Promise<void>;
export const TARGETS: Readonly<Record<string, string | null>>;
