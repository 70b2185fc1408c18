const { fround, min, max } = Math;

/** A sample of source and destination, premultiplied by their alphas, and those alphas. */
interface Layers {
  readonly source: number;
  readonly sourceAlpha: number;
  readonly destination: number;
  readonly destinationAlpha: number;
}

interface Rule {
  readonly alpha: (source: number, destination: number) => number;
  readonly colour: (layers: Layers) => number;
}

const clamp = (value: number): number => min(max(value, 0), 1);
const union = (s: number, d: number): number => fround(fround(s + d) - fround(s * d));
const both = (s: number, d: number): number => fround(s * d);
const outside = (s: number, d: number): number => fround(fround(1 - d) * s);
/** What each layer shows where the other is not. */
const apart = ({ source, sourceAlpha, destination, destinationAlpha }: Layers): number =>
  fround(fround(fround(1 - destinationAlpha) * source) + fround(fround(1 - sourceAlpha) * destination));

/** The engine's compositing rules, in float32 and on premultiplied colours. */
const RULES = {
  ADD: { alpha: (s, d) => clamp(fround(s + d)), colour: (l) => clamp(fround(l.source + l.destination)) },
  CLEAR: { alpha: () => 0, colour: () => 0 },
  DARKEN: { alpha: union, colour: (l) => fround(apart(l) + min(l.source, l.destination)) },
  DST: { alpha: (_, d) => d, colour: (l) => l.destination },
  DST_ATOP: {
    alpha: (s) => s,
    colour: (l) => fround(fround(l.sourceAlpha * l.destination) + outside(l.source, l.destinationAlpha)),
  },
  DST_IN: { alpha: both, colour: (l) => fround(l.destination * l.sourceAlpha) },
  DST_OUT: { alpha: (s, d) => outside(d, s), colour: (l) => outside(l.destination, l.sourceAlpha) },
  DST_OVER: {
    alpha: (s, d) => fround(d + outside(s, d)),
    colour: (l) => fround(l.destination + outside(l.source, l.destinationAlpha)),
  },
  LIGHTEN: { alpha: union, colour: (l) => fround(apart(l) + max(l.source, l.destination)) },
  MULTIPLY: { alpha: both, colour: (l) => fround(l.source * l.destination) },
  OVERLAY: {
    alpha: union,
    colour: (l) =>
      fround(2 * l.destination) < l.destinationAlpha
        ? fround(fround(2 * l.source) * l.destination)
        : fround(
            fround(l.sourceAlpha * l.destinationAlpha) -
              fround(fround(2 * fround(l.destinationAlpha - l.source)) * fround(l.sourceAlpha - l.destination)),
          ),
  },
  SCREEN: { alpha: union, colour: (l) => union(l.source, l.destination) },
  SRC: { alpha: (s) => s, colour: (l) => l.source },
  SRC_ATOP: {
    alpha: (_, d) => d,
    colour: (l) => fround(fround(l.destinationAlpha * l.source) + outside(l.destination, l.sourceAlpha)),
  },
  SRC_IN: { alpha: both, colour: (l) => fround(l.source * l.destinationAlpha) },
  SRC_OUT: { alpha: outside, colour: (l) => outside(l.source, l.destinationAlpha) },
  SRC_OVER: {
    alpha: (s, d) => fround(s + outside(d, s)),
    colour: (l) => fround(l.source + outside(l.destination, l.sourceAlpha)),
  },
  XOR: { alpha: (s, d) => fround(outside(s, d) + outside(d, s)), colour: apart },
} as const satisfies Readonly<Record<string, Rule>>;

type PorterDuffMode = keyof typeof RULES;

export const PORTER_DUFF_MODES = Object.keys(RULES) as readonly PorterDuffMode[];

export function porterDuffRule(mode: PorterDuffMode): Rule {
  return RULES[mode];
}
