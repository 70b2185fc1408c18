import type { NodeImplementation } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { pythonFloat } from '../../graph/python-text.js';
import { isDict, isList, type Value } from '../../values/value.js';

/**
 * A curve through points. No class of this engine reads one, so it is handed on as the text in which the engine shows it;
 * a linked histogram is shown to clients beside it.
 */
export const curveEditor: NodeImplementation = {
  run(inputs, context) {
    const curve = inputs.any('curve');
    const points = isDict(curve) ? curve.get('points') : curve;
    const kind = isDict(curve) && curve.get('interpolation') === 'linear' ? 'LinearCurve' : 'MonotoneCubicCurve';
    if (!isList(points)) throw new NodeError('KeyError', "'points'");
    const sorted = points.map(pointOf).sort(([a], [b]) => a - b);
    const shown = sorted.map(([x, y]) => `(${pythonFloat(x)}, ${pythonFloat(y)})`);
    const histogram = inputs.has('histogram') ? inputs.any('histogram') : null;
    if (isList(histogram)) for (const count of histogram) context.show('histogram', Number(count));
    return [`${kind}(points=[${shown.join(', ')}])`];
  },
};

function pointOf(value: Value): readonly [number, number] {
  const [x, y] = isList(value) ? value.map(Number) : [];
  if (x === undefined || y === undefined) throw new NodeError('TypeError', 'a point of a curve is a pair of numbers');
  return [x, y];
}
