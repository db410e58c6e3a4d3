/** The store in memory keeps the contract. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/stores/memory/index.ts';
import { describeStore } from '../../src/testing/index.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

describeStore({ describe, test, expect }, createMemoryStore, { name: 'memory', hash });
