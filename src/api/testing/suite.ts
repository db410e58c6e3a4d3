/** What a contract suite needs of a test runner. vitest, jest and node:test with an `expect` all have this shape. */

export interface Suite {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: () => unknown): unknown;
  expect(value: unknown): Expectation;
}

export interface Expectation {
  toBe(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
}
