/** The answer of another service; null if it fails, or does not come within `milliseconds`. Nothing waits for it then. */
export function answerWithin<T>(milliseconds: number, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), milliseconds).unref();
    const end = (found: T | null): void => {
      clearTimeout(late);
      resolve(found);
    };
    answer.then(end, () => end(null));
  });
}
