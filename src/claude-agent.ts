export * from './api/claude-agent/hook-manager.ts';
