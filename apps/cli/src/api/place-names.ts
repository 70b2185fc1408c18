/** In which words an error speaks of an address: those in which its user can name another one. */
export interface PlaceNames {
  readonly option: string;
  readonly variable: string;
  /** Without its scheme. */
  readonly example: string;
}

export const SERVICE_NAMES: PlaceNames = { option: '--url', variable: 'HEDDLE_URL', example: '127.0.0.1:8189' };
