/** The end of hooks once more, for hooks that the launcher starts. */
import { byLauncher } from './way.ts';

await byLauncher();
await import('./kill-group.test.ts');
