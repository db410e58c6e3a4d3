/** The laws of command hooks once more, for hooks that the launcher starts. */
import { byLauncher } from './way.ts';

await byLauncher();
await import('./index.test.ts');
