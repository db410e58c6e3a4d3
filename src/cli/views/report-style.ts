/** The style of the page about a session: light and dark, narrow and wide, and on paper. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1b1d21; --dim: #5c626c; --paper: #fff; --line: #dfe2e7; --soft: #f5f6f8;
  --deny: #b3261e; --hold: #8a5a00; --fault: #6b3fa0; --rewrite: #1f5fae; --allow: #1d6b3a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --dim: #a2a9b4; --paper: #16181c; --line: #33373e; --soft: #1f2227;
  --deny: #ff8a80; --hold: #f0b849; --fault: #c8a2f5; --rewrite: #8ab8f5; --allow: #7fd39a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 16px 48px; max-width: 860px; background: var(--paper); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 15px; margin: 28px 0 8px; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 4px 24px; margin: 0; }
dl div { display: flex; gap: 8px; }
dt { color: var(--dim); min-width: 56px; }
dd { margin: 0; min-width: 0; }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 6px 8px; margin: 6px 0; white-space: pre-wrap; }
.sum { margin: 20px 0 0; padding: 10px 12px; background: var(--soft); border: 1px solid var(--line); border-radius: 4px; }
.entries { list-style: none; margin: 0; padding: 0; }
.entry { border-left: 3px solid var(--line); padding: 2px 0 6px 12px; margin: 12px 0; break-inside: avoid; }
.entry .head { display: flex; flex-wrap: wrap; gap: 2px 10px; }
time, small, .note, footer { color: var(--dim); }
.passes { color: var(--dim); padding: 2px 0 2px 15px; font-size: 13px; }
.passes span { margin-left: 6px; }
.reason { margin: 4px 0; font-weight: 600; }
.alarm { margin: 4px 0; color: var(--deny); font-weight: 600; }
.story { margin: 4px 0; padding-left: 18px; color: var(--dim); }
b.deny { color: var(--deny); } b.hold { color: var(--hold); } b.fault { color: var(--fault); } b.rewrite { color: var(--rewrite); } b.allow { color: var(--allow); }
.entry.deny { border-color: var(--deny); } .entry.hold { border-color: var(--hold); } .entry.fault { border-color: var(--fault); }
.entry.rewrite { border-color: var(--rewrite); } .entry.allow { border-color: var(--allow); }
footer { margin-top: 32px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 12px; }
@media print { :root { color-scheme: light; --ink: #000; --dim: #444; --paper: #fff; --line: #bbb; --soft: #fff;
  --deny: #a00; --hold: #750; --fault: #538; --rewrite: #048; --allow: #163; } body { max-width: none; padding: 0; font-size: 11px; } h2 { break-after: avoid; } }
`;
