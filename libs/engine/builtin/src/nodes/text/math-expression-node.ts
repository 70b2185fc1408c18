import type { NodeImplementation } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { pythonFloat } from '../../graph/python-text.js';
import { evaluateMath } from '../../text/math-expression.js';
import { isTrue, type MathValue } from '../../text/math-values.js';
import type { Value } from '../../values/value.js';

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

export const mathExpression: NodeImplementation = {
  run(inputs) {
    const expression = inputs.text('expression');
    if (expression.trim() === '') throw new NodeError('ValueError', 'Expression cannot be empty.');
    const names = new Map<string, MathValue>();
    for (const [name, value] of inputs.named('values', LETTERS)) names.set(name, mathValue(value));
    names.set('values', [...names.values()]);
    const result = evaluateMath(expression, names);
    if (typeof result === 'object') {
      throw new NodeError('ValueError', `Math Expression '${expression}' must evaluate to a numeric result, got list`);
    }
    const float = Number(result);
    if (!Number.isFinite(float)) {
      const what =
        typeof result === 'bigint'
          ? `a result too large to represent as a float: ${result}`
          : `a non-finite result: ${pythonFloat(float)}`;
      throw new NodeError('ValueError', `Math Expression '${expression}' produced ${what}`);
    }
    return [float, typeof result === 'bigint' ? result : BigInt(Math.trunc(float)), isTrue(result)];
  },
};

function mathValue(value: Value): MathValue {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  throw new NodeError('TypeError', 'an expression computes with numbers only');
}
