const { cbrt, pow } = Math;

/** Rows of the matrix from linear RGB (sRGB primaries, D65) to XYZ, and back. */
const TO_XYZ = [0.412453, 0.35758, 0.180423, 0.212671, 0.71516, 0.072169, 0.019334, 0.119193, 0.950227] as const;
const TO_RGB = [
  3.2404813432005266, -1.5371515162713185, -0.4985363261688878, -0.9692549499965682, 1.8759900014898907,
  0.0415559265582928, 0.0556466391351772, -0.2040413383665112, 1.0573110696453443,
] as const;
const WHITE = [0.95047, 1, 1.08883] as const;
/** Below these values, the curves of XYZ are linear. */
const LINE_ENDS = 0.008856;
const LINE_ENDS_BACK = 0.2068966;
const SLOPE = 7.787;
const OFFSET = 4 / 29;

/** Converts sRGB samples (three interleaved channels, 0..1) to CIE L*a*b* (D65). */
export function toLab(rgb: Float32Array): Float64Array {
  const lab = new Float64Array(rgb.length);
  for (let i = 0; i < rgb.length; i += 3) {
    const [r, g, b] = [linear(rgb[i] as number), linear(rgb[i + 1] as number), linear(rgb[i + 2] as number)];
    const x = curve((TO_XYZ[0] * r + TO_XYZ[1] * g + TO_XYZ[2] * b) / WHITE[0]);
    const y = curve((TO_XYZ[3] * r + TO_XYZ[4] * g + TO_XYZ[5] * b) / WHITE[1]);
    const z = curve((TO_XYZ[6] * r + TO_XYZ[7] * g + TO_XYZ[8] * b) / WHITE[2]);
    lab[i] = 116 * y - 16;
    lab[i + 1] = 500 * (x - y);
    lab[i + 2] = 200 * (y - z);
  }
  return lab;
}

/** Converts CIE L*a*b* to sRGB, clamped to 0..1. */
export function fromLab(lab: Float64Array, rgb: Float32Array): void {
  for (let i = 0; i < rgb.length; i += 3) {
    const fy = ((lab[i] as number) + 16) / 116;
    const x = uncurve((lab[i + 1] as number) / 500 + fy) * WHITE[0];
    const y = uncurve(fy) * WHITE[1];
    const z = uncurve(Math.max(0, fy - (lab[i + 2] as number) / 200)) * WHITE[2];
    rgb[i] = display(TO_RGB[0] * x + TO_RGB[1] * y + TO_RGB[2] * z);
    rgb[i + 1] = display(TO_RGB[3] * x + TO_RGB[4] * y + TO_RGB[5] * z);
    rgb[i + 2] = display(TO_RGB[6] * x + TO_RGB[7] * y + TO_RGB[8] * z);
  }
}

function linear(value: number): number {
  return value > 0.04045 ? pow((value + 0.055) / 1.055, 2.4) : value / 12.92;
}

function display(value: number): number {
  const shown = value > 0.0031308 ? 1.055 * pow(value, 1 / 2.4) - 0.055 : 12.92 * value;
  return shown < 0 ? 0 : shown > 1 ? 1 : shown;
}

function curve(value: number): number {
  return value > LINE_ENDS ? cbrt(value) : SLOPE * value + OFFSET;
}

function uncurve(value: number): number {
  return value > LINE_ENDS_BACK ? value * value * value : (value - OFFSET) / SLOPE;
}
