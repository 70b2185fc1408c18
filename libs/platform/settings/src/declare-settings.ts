import type { Declaration, Setting, SettingGroup } from './setting.js';

/** Settings by their keys, each with its type. */
export type Declared<D> = { readonly [K in keyof D]: D[K] extends Declaration<infer T> ? Setting<T> : never };

/** What the settings of a table are read as. */
export type SettingValues<D> = { readonly [K in keyof D]: D[K] extends Declaration<infer T> ? T : never };

/** Declares settings of one group. A context does so in its `settings.ts`, and everything else comes from there. */
export function declareSettings<D extends Record<string, Declaration<unknown>>>(
  group: SettingGroup,
  declarations: D,
): Declared<D> {
  return Object.fromEntries(
    Object.entries(declarations).map(([key, declaration]) => [key, { ...declaration, group }]),
  ) as Declared<D>;
}

/** Reads every setting of a table from the environment. */
export function readDeclared<D extends Record<string, Declaration<unknown>>>(
  table: D,
  env: Readonly<Record<string, string | undefined>>,
): SettingValues<D> {
  return Object.fromEntries(
    Object.entries(table).map(([key, setting]) => [key, setting.read(env[`HEDDLE_${setting.name}`])]),
  ) as SettingValues<D>;
}
