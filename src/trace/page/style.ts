/** Light and dark by the reader's preference; every pair of colours has a contrast of 4.5 or more. */
export const styleSheet = `
:host{color-scheme:light dark;--ground:#f5f6f8;--paper:#fff;--ink:#1c2329;--faint:#5a6570;--line:#8a96a3;--link:#0b549b;--good:#0a6b35;--open:#7a5200;--bad:#a3121b;display:block;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif;min-height:100vh}
@media(prefers-color-scheme:dark){:host{--ground:#14181c;--paper:#1c2127;--ink:#e4e9ee;--faint:#a0abb6;--line:#72808d;--link:#9ccbff;--good:#6fd49a;--open:#f0c36a;--bad:#ff9c9c}}
*{box-sizing:border-box}
main{max-width:960px;margin:0 auto;padding:24px 16px 60px}
h1{font-size:22px}h2{font-size:19px}h3{font-size:16px;margin:20px 0 4px}
label{display:block;margin:10px 0 2px}
input,textarea,button{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:5px 9px;max-width:100%}
input[type=text],textarea{width:100%;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}
button{cursor:pointer}
button[type=submit]{margin-top:14px;padding:7px 22px;font-weight:600}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
fieldset{border:1px solid var(--line);border-radius:8px;margin:14px 0 0}
.drop{border:2px dashed var(--line);border-radius:10px;padding:10px 16px 16px;background:var(--paper)}
.verdict.holds{color:var(--good)}
.verdict.open{color:var(--open)}
.verdict.fails{color:var(--bad)}
.text{white-space:pre-wrap;background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:8px 12px}
mark{background:none;color:inherit;border-bottom:2px solid var(--link)}
li,dd,p{overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:0}
dt{color:var(--faint)}dd{margin:0}
.go input{width:110px}
.steps{height:420px;overflow:auto;background:var(--paper);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:4px 8px;color:var(--faint)}
th{position:sticky;top:0;background:var(--paper);text-align:left}
th,td{padding:0 8px;height:28px;white-space:nowrap}
td{font-variant-numeric:tabular-nums}
td button{padding:0 8px;line-height:20px}
.hash,ol,.path p{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}
.path{margin:8px 0}
.scroll{overflow:auto;max-height:70vh;background:var(--paper);border:1px solid var(--line);border-radius:8px}
svg{display:block;margin:8px auto}
.edge{stroke:var(--line);stroke-width:1.4}
rect{fill:var(--paper);stroke:var(--line)}
.on rect{stroke:var(--link);stroke-width:2}
text{fill:var(--ink);font:13px ui-monospace,Menlo,Consolas,monospace}
`;
