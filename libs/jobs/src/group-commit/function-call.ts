/** Arguments of a database function by the names of its parameters, so that nobody counts positions. */
export type NamedArguments = Readonly<Record<string, unknown>>;

/** A call of a function that returns one row. The names are always given in one order, so the text never changes. */
export function callOf(name: string, args: NamedArguments): { readonly text: string; readonly values: unknown[] } {
  return { text: `select * from ${name}(${argumentList(args)})`, values: Object.values(args) };
}

/** The list in SQL, with placeholders from `$from` on; `written` rewrites the value of single parameters. */
export function argumentList(
  args: NamedArguments,
  from = 1,
  written: (name: string, placeholder: string) => string = (_, placeholder) => placeholder,
): string {
  return Object.keys(args)
    .map((name, at) => `${name} => ${written(name, `$${from + at}`)}`)
    .join(', ');
}
