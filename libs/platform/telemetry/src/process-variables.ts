/** The environment variables of a process, by name. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>;
