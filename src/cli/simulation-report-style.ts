/** The contrast of text is at least 7:1 in both colour schemes. Levels differ in lightness and not only in hue. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f5f5f3;--ink:#1c1c1a;--line:#d6d6d0;--low:#2f855a;--medium:#e0a100;--high:#9b1c1c}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1.25rem;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto}
h1{margin:0 0 .5rem;font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}
h2{margin:0 0 .75rem;font-size:1.15rem}
h3{margin:1rem 0 .5rem;font-size:1rem}
section>:last-child{margin-bottom:0}
.verdict{margin:0 0 .75rem;font-size:1.25rem;font-weight:600;line-height:1.35}
section{margin:1.25rem 0;padding:1.25rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
svg{display:block;width:100%}
.bar{height:1.4rem}
.time{height:10rem}
.low{fill:var(--low)}
.medium{fill:var(--medium)}
.high{fill:var(--high)}
figure{margin:0}
figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;margin-top:.4rem;font-size:.875rem}
.key{display:inline-flex;align-items:center;gap:.4rem}
.key svg{width:.8rem;height:.8rem}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:3px solid currentcolor;outline-offset:3px}
table{width:100%;border-collapse:collapse}
caption{padding:.6rem 0 .4rem;text-align:left}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{font-size:.875rem;white-space:nowrap}
tbody th{font-weight:400}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.wide{min-width:10rem;width:45%}
.stays{opacity:.75}
code{font:.9375rem ui-monospace,monospace;overflow-wrap:anywhere}
td code,th code{overflow-wrap:break-word}
@media (prefers-color-scheme:dark){
:root{--paper:#1f1f1d;--ground:#161615;--ink:#ededea;--line:#45453f;--low:#68b78b;--medium:#f3c94b;--high:#e8695f}
}
@media (max-width:40rem){body{padding:1rem .75rem}section{padding:.9rem}}
`;
