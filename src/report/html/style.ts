import { verdicts } from '../../evidence/verdict.ts';
import { darkColors, lightColors, type VerdictColor } from '../verdict-color.ts';

type Colors = typeof lightColors;

/** The page's style sheet: light and dark by the reader's preference, nothing loaded from elsewhere. */
export function styleSheet(): string {
  return [
    `:root{color-scheme:light dark;--ground:#f5f6f8;--paper:#fff;--ink:#1c2329;--faint:#5a6570;--line:#d9dee4;--link:#0b549b;--code:#f3f5f7;--edge:#8a96a3;${variables(lightColors)}}`,
    `@media(prefers-color-scheme:dark){:root{--ground:#14181c;--paper:#1c2127;--ink:#e4e9ee;--faint:#a0abb6;--line:#343c45;--link:#9ccbff;--code:#242b32;--edge:#72808d;${variables(darkColors)}}}`,
    ...verdicts.map((verdict) => `.v-${verdict}{--v:var(--${verdict});--vf:var(--${verdict}-fill)}`),
    '.v-missing{--v:var(--falsified);--vf:var(--paper)}',
    rules,
  ].join('\n');
}

function variables(colors: Colors): string {
  return verdicts.map((verdict) => pair(verdict, colors[verdict])).join('');
}

const pair = (name: string, { ink, fill }: VerdictColor): string => `--${name}:${ink};--${name}-fill:${fill};`;

const rules = `
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,.top{max-width:1240px;margin:0 auto;padding:0 24px}
.top{padding-top:28px}
h1{font-size:22px;line-height:1.3;margin:0}
h2{font-size:17px;margin:32px 0 4px}
h3{font-size:16px;margin:0;overflow-wrap:anywhere}
h4{font-size:14px;margin:16px 0 4px}
p{margin:4px 0}
ul,ol{margin:4px 0;padding-left:20px}
a{color:var(--link)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere}
.faint,.hint{color:var(--faint)}
.faint{font-size:13px}
.hint{font-size:14px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.gate{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center}
.mark{display:inline-block;white-space:nowrap;font-size:13px;font-weight:600;line-height:1.4;padding:1px 9px;border-radius:99px;color:var(--v);background:var(--vf);border:1px solid var(--v)}
.gate .mark{font-size:15px;padding:3px 14px}
.reasons{margin:8px 0 0;columns:2 360px;column-gap:40px}
.reasons li{break-inside:avoid;overflow-wrap:anywhere}
.filters{position:sticky;top:0;z-index:1;background:var(--ground);border-bottom:1px solid var(--line);margin-top:18px}
.filters form{max-width:1240px;margin:0 auto;padding:10px 24px;display:flex;flex-wrap:wrap;gap:6px;align-items:center}
.filters button,.filters input{font:inherit;font-size:14px;min-height:34px;border-radius:8px}
.filters button{display:inline-flex;gap:6px;align-items:center;padding:3px 11px;cursor:pointer;color:var(--v,var(--ink));background:var(--vf,var(--paper));border:1px solid var(--v,var(--line))}
.filters button[aria-pressed=true]{color:var(--vf);background:var(--v);font-weight:600}
.filters button b{font-variant-numeric:tabular-nums}
.filters input{flex:1 1 180px;min-width:140px;padding:3px 11px;color:var(--ink);background:var(--paper);border:1px solid var(--line)}
.filters output{font-size:13px;color:var(--faint);min-width:110px;text-align:right}
.graph{overflow:auto;max-height:74vh;margin:10px 0;background:var(--paper);border:1px solid var(--line);border-radius:12px}
.graph svg{display:block;margin:0 auto}
.graph.whole svg{width:100%;height:72vh}
.edge{fill:none;stroke:var(--edge);stroke-width:1.3}
.edge.absent{stroke:var(--falsified);stroke-dasharray:5 4}
#arrow path{fill:context-stroke}
.node rect{fill:var(--vf);stroke:var(--v);stroke-width:1.3}
.node.v-missing rect{stroke-dasharray:5 4}
.node text{fill:var(--v);text-anchor:middle;font-size:13px}
.node .name{font-weight:600}
.node .facts{font-size:12px}
.node:hover rect,.node:focus rect{stroke-width:2.6}
.picking .node,.picking .edge{opacity:.16;transition:opacity .12s}
.picking .lit{opacity:1}
.picking .edge.lit{stroke:var(--ink);stroke-width:1.8}
.chips{display:flex;flex-wrap:wrap;gap:6px;list-style:none;padding:0}
.chip{display:inline-block;max-width:300px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding:3px 10px;border-radius:8px;font-size:13px;text-decoration:none;color:var(--v);background:var(--vf);border:1px solid var(--v)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,380px),1fr));gap:14px;align-items:start;margin:12px 0 40px}
.card{min-width:0;scroll-margin-top:70px;background:var(--paper);border:1px solid var(--line);border-top:4px solid var(--v);border-radius:12px;padding:14px 16px}
.card:has(details[open]){grid-column:1/-1}
.card header{display:flex;justify-content:space-between;gap:10px;align-items:start}
.card h3 .mark{margin-right:4px}
.level{font-weight:600;font-variant-numeric:tabular-nums;color:var(--faint)}
.about{color:var(--faint);overflow-wrap:anywhere}
.counts{font-size:14px}
.reason{color:var(--v);font-size:14px;overflow-wrap:anywhere}
.cells{display:flex;flex-wrap:wrap;gap:5px;list-style:none;padding:0;margin:9px 0}
.cell{display:grid;place-items:center;width:26px;height:26px;border-radius:6px;font-size:14px;font-weight:600;line-height:1;text-decoration:none;color:var(--v);background:var(--vf);border:1px solid var(--v)}
.cell:hover{outline:2px solid var(--v)}
details>summary{cursor:pointer;color:var(--link);font-size:14px;padding:3px 0}
.equation{margin:8px 0}
.math{overflow-x:auto;padding:2px 0}
.math math{font-size:17px;width:fit-content;margin:0}
.formula,.values{background:var(--code);border-radius:8px;padding:6px 11px}
.claims{list-style:none;padding:0;border-top:1px solid var(--line);margin-top:10px}
.claim{padding:9px 0;border-bottom:1px solid var(--line);scroll-margin-top:70px}
.claim:target,.card:target{background:color-mix(in srgb,var(--link) 9%,var(--paper))}
.claim .title{overflow-wrap:anywhere}
.command{display:flex;gap:8px;align-items:start}
.command code{flex:0 1 auto;background:var(--code);border-radius:8px;padding:4px 11px;overflow-wrap:anywhere}
.copy,.fit{font:inherit;font-size:13px;padding:3px 11px;cursor:pointer;color:var(--link);background:none;border:1px solid var(--line);border-radius:8px}
.inline{display:flex;flex-wrap:wrap;gap:2px 14px;list-style:none;padding:0}
.findings li{overflow-wrap:anywhere}
footer{color:var(--faint);font-size:13px;padding:0 0 40px}
[hidden]{display:none!important}
@media(max-width:600px){main,.top,.filters form{padding-left:14px;padding-right:14px}.filters{position:static}}
@media print{.filters,.copy{display:none}.graph{max-height:none}.card{break-inside:avoid}body{background:#fff}}
`.trim();
