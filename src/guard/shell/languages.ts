/**
 * The readers of code in other languages, and of files that tools run. The program has them in a file of its own, because most commands need
 * none of them.
 */
export { actionsOf } from './code/index.ts';
export { callsIn } from './foreign/calls.ts';
export { deletesLines, editorDeletions, listedIn, walkedIn } from './foreign/closed-list.ts';
export { codeReads, codeSends } from './foreign/flow.ts';
export { callNaming, deletedPaths, shellCalls } from './foreign/index.ts';
export { reachedIn, unfollowed } from './foreign/reach.ts';
export { shellOnSocket } from './foreign/sockets.ts';
export { statementsReach } from './foreign/statements.ts';
export { tokensOf } from './foreign/tokens.ts';
export { manifestGrants } from './programs/manifests.ts';
export { modulesOf } from './programs/modules.ts';
export { filesOfTool, ranByTool } from './programs/runners.ts';
export { cmdCommands, powershellCommands, powershellStatements, unknownCalls } from './windows/powershell.ts';
