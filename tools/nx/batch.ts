// The interface of Nx executors that run many tasks in one process.

export interface TaskGraph {
  readonly tasks: Readonly<Record<string, { readonly target: { readonly project: string } }>>;
}

export interface Context {
  readonly root: string;
  readonly projectsConfigurations: { readonly projects: Readonly<Record<string, { readonly root: string }>> };
}

export interface Result {
  /** Only a success is cached. */
  readonly success: boolean;
  readonly terminalOutput: string;
}

export type Results = Readonly<Record<string, Result>>;

/** Each task of a batch with the folder of its project. */
export function foldersOf(graph: TaskGraph, context: Context): { readonly id: string; readonly folder: string }[] {
  return Object.entries(graph.tasks).map(([id, { target }]) => ({
    id,
    folder: context.projectsConfigurations.projects[target.project]?.root ?? '.',
  }));
}

/** A project may be in the folder of another one: a file belongs to the innermost. */
export function projectOf(path: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => path.startsWith(`${folder}/`))
    .reduce<string | undefined>((best, folder) => (folder.length > (best?.length ?? 0) ? folder : best), undefined);
}

export function allFolders(context: Context): string[] {
  return Object.values(context.projectsConfigurations.projects).map(({ root }) => root);
}
