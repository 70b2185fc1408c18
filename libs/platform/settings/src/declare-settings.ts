import { givenText } from './given-text.js';
import { SettingRefused } from './setting.js';
import type { Declaration, Setting, SettingGroup } from './setting.js';

/** Settings by key, each with its type */
export type Declared<D> = { readonly [K in keyof D]: D[K] extends Declaration<infer T> ? Setting<T> : never };

/** Values of the settings of a table */
export type SettingValues<D> = { readonly [K in keyof D]: D[K] extends Declaration<infer T> ? T : never };

/** Declares the settings of one group. A context does this in its `settings.ts`; help, flags and checks derive from it. */
export function declareSettings<D extends Record<string, Declaration<unknown>>>(
  group: SettingGroup,
  declarations: D,
): Declared<D> {
  return Object.fromEntries(
    Object.entries(declarations).map(([key, declaration]) => [key, { ...declaration, group }]),
  ) as Declared<D>;
}

/** Values of a table. An invalid setting has its default value and an entry in `refused`. */
export interface ReadSettings<D> {
  readonly values: SettingValues<D>;
  readonly refused: ReadonlyMap<keyof D, string>;
}

/** Reads every setting of a table from the environment, also if some are invalid. */
export function readEach<D extends Record<string, Declaration<unknown>>>(
  table: D,
  env: Readonly<Record<string, string | undefined>>,
): ReadSettings<D> {
  const refused = new Map<keyof D, string>();
  const values = Object.entries(table).map(([key, setting]) => {
    try {
      return [key, setting.read(givenText(setting, env))];
    } catch (error) {
      if (!(error instanceof SettingRefused)) throw error;
      refused.set(key, error.message);
      return [key, setting.read(undefined)];
    }
  });
  return { values: Object.fromEntries(values) as SettingValues<D>, refused };
}

/** Reads every setting of a table from the environment. @throws SettingRefused with all invalid settings */
export function readDeclared<D extends Record<string, Declaration<unknown>>>(
  table: D,
  env: Readonly<Record<string, string | undefined>>,
): SettingValues<D> {
  const { values, refused } = readEach(table, env);
  if (refused.size > 0) throw SettingRefused.of([...refused.values()]);
  return values;
}
