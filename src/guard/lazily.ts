/** Returns a function that makes a value at its first call, because the program starts for every tool call and uses few of the tables. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
