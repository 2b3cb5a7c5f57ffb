"""How the page looks, by day and by night, on a screen and on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ground: #f5f6f8; --ink: #1d2430; --soft: #5b6575; --line: #dfe3ea;
  --plain: #4667c4; --completed: #1f8a5c; --cancelled: #d9a021; --abandoned: #d1672a;
  --handed: #4f86d9; --failed: #b8325a; --open: #9aa3b2; --alarm: #fdebec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #191d25; --ground: #10131a; --ink: #e8ebf1; --soft: #a2acbd; --line: #303745;
    --plain: #7f9bec; --completed: #45b888; --cancelled: #e6b950; --abandoned: #e58a55;
    --handed: #7fadf0; --failed: #e46a8c; --open: #6d7788; --alarm: #43202a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 960px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 1.7rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 4px; }
p { margin: 4px 0 12px; }
.soft { color: var(--soft); }
section, .cards > div {
  background: var(--paper); border: 1px solid var(--line); border-radius: 10px;
}
section { padding: 20px 22px; margin-top: 20px; }
.alarm { background: var(--alarm); }
.cards {
  display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 24px 0 0;
}
@media (max-width: 640px) { .cards { grid-template-columns: repeat(2, 1fr); } }
.cards > div { padding: 12px 16px; }
.cards dt { color: var(--soft); font-size: .85rem; }
.cards dd { margin: 0; font-size: 1.55rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .84rem; }
caption { text-align: left; color: var(--soft); padding-bottom: 4px; }
th, td { padding: 6px 7px; border-bottom: 1px solid var(--line); text-align: left; }
th { color: var(--soft); font-weight: 600; }
tbody th { color: var(--ink); overflow-wrap: anywhere; min-width: 11em; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { width: 100%; min-width: 560px; height: auto; display: block; margin: 8px 0 12px; }
svg text { fill: var(--ink); font-size: 13px; }
svg .tick { fill: var(--soft); font-size: 11px; }
svg .number { font-variant-numeric: tabular-nums; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
.grid { stroke: var(--line); }
.plain { fill: var(--plain); }
.way { fill: none; stroke: var(--plain); stroke-width: 1.5; }
.completed { fill: var(--completed); } .cancelled { fill: var(--cancelled); }
.abandoned { fill: var(--abandoned); } .handed_off { fill: var(--handed); }
.failed { fill: var(--failed); } .open { fill: var(--open); }
.key { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; margin: 0; }
.key svg { display: inline-block; min-width: 0; width: 11px; height: 11px; margin: 0 6px 0 0; }
@media print { body { background: none; } section { break-inside: avoid; } }
"""
