import { ValidateBy, validateSync, type ValidationOptions } from 'class-validator';
import type { Rejection } from '@heddle/contracts-messages';

/** Why a value of a property is refused, or null. */
type RefusalOf<T, V> = (value: V, object: T) => Rejection | null;

/**
 * Options of a decorator whose rule is refused with a text of the error catalogue. The refusal is the context of the rule:
 * class-validator replaces words such as `$value` in a message. It drops the context of a rule with an empty message.
 */
export function refusedAs(rejection: Rejection): ValidationOptions {
  return { message: rejection.code, context: { refusalOf: () => rejection } };
}

const REFUSED_BY = 'refusedBy';

/** A rule whose refusal depends on the value, such as the name of a key in it; at most one a property. */
export function RefusedBy<T, V>(refusalOf: RefusalOf<T, V>): PropertyDecorator {
  return ValidateBy(
    {
      name: REFUSED_BY,
      validator: { validate: (value, rule) => refusalOf(value as V, rule?.object as T) === null },
    },
    { message: REFUSED_BY, context: { refusalOf } },
  );
}

/**
 * The first property that is refused, in the order of the class. Of its decorators the last one counts first, as
 * class-validator collects them.
 */
export function firstRefusal(object: object): { readonly property: string; readonly rejection: Rejection } | null {
  const [broken] = validateSync(object, { stopAtFirstError: true });
  if (broken === undefined) return null;
  const [rule] = Object.values(broken.contexts ?? {}) as { refusalOf: RefusalOf<object, unknown> }[];
  const rejection = rule?.refusalOf(broken.value, object);
  if (rejection == null) throw new Error(`The rule of ${broken.property} has no text.`);
  return { property: broken.property, rejection };
}
