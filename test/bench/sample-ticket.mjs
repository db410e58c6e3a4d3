// A held action of ordinary size.
export function sampleTicket(id, now) {
  const event = {
    id: `event-${id}`,
    kind: 'tool.before',
    at: new Date(now).toISOString(),
    session: { id: 'session-1', cwd: '/home/user/project' },
    data: {
      tool: 'Bash',
      input: { command: `git push origin release/${id}`, description: 'Publishes the release branch', timeout: 120_000 },
    },
  };
  const heldBy = [
    { id: 'gate@.agents/hooks/gate/HOOK.md', name: 'gate', status: 'answered', reason: 'A person must look at pushes.', ms: 3 },
  ];
  return {
    id,
    digest: `sha256:${id}`,
    kind: event.kind,
    tool: 'Bash',
    session: event.session.id,
    root: '/home/user/project',
    reason: 'A person must look at pushes.',
    openedAt: now,
    expiresAt: now + 24 * 60 * 60 * 1000,
    action: { event, heldBy, waiting: ['audit@.agents/hooks/audit/HOOK.md'], reports: heldBy, sum: {} },
  };
}
