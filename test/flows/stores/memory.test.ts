/** The store in memory keeps the contract. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { describeStore } from '../../../src/api/testing/index.ts';
import { createMemoryStore } from '../../../src/stores/memory.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

describeStore({ describe, test, expect }, createMemoryStore, { name: 'memory', hash });
