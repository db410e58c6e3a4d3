/** The parts of a test runner that a contract suite uses. vitest, jest, and node:test with an `expect`, all have this shape. */

export interface Suite {
  describe(name: string, body: () => void): unknown;
  readonly test: Test;
  expect(value: unknown): Expectation;
}

export interface Test {
  (name: string, body: () => unknown): unknown;
  /** Reports a test as skipped. A scene that does not apply to a handler or dialect must not look like a pass. */
  skip(name: string, body: () => unknown): unknown;
}

export interface Expectation {
  toBe(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
}
