const { fround, trunc } = Math;

/** Adds a tiled threshold pattern of `order` x `order` to interleaved RGB bytes before the colours are mapped. */
export function addBayerPattern(rgb: Uint8Array, width: number, order: number, colours: number): void {
  const pattern = bayerMatrix(order).map((value) => ((2 * 256) / colours) * value + 0.5);
  for (let at = 0; at < rgb.length; at += 1) {
    const pixel = Math.floor(at / 3);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const added = pattern[(y % order) * order + (x % order)] as number;
    const sum = fround((rgb[at] as number) + added);
    rgb[at] = trunc(sum < 0 ? 0 : sum > 255 ? 255 : sum);
  }
}

/** The matrix of a power of two, in double precision, row by row. */
function bayerMatrix(order: number): Float64Array {
  let matrix = new Float64Array(1);
  for (let size = 1; size < order; size *= 2) {
    const scale = (size * 2) ** 2;
    const larger = new Float64Array(scale);
    for (let y = 0; y < size * 2; y += 1) {
      for (let x = 0; x < size * 2; x += 1) {
        const inner = scale * (matrix[(y % size) * size + (x % size)] as number);
        const step = y < size ? (x < size ? -1.5 : 0.5) : x < size ? 1.5 : -0.5;
        larger[y * size * 2 + x] = (inner + step) / scale;
      }
    }
    matrix = larger;
  }
  return matrix;
}
