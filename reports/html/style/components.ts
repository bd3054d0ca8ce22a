import { seriesNames } from "./tokens.ts";

const statuses = ["passed", "failed", "unknown", "interrupted"];

export const components = `
.verdict{margin-top:1.75rem;border:1px solid var(--rule);border-radius:12px;background:var(--surface);overflow:hidden}
.verdict-say{padding:1.35rem 1.5rem 1.25rem;background:var(--tint);border-left:6px solid var(--tone)}
.badge{display:inline-flex;align-items:center;gap:.45rem;color:var(--tone);font-weight:750;font-size:.875rem;letter-spacing:.06em;text-transform:uppercase}
.badge svg{width:1.15rem;height:1.15rem}
.verdict h1,.verdict .headline{font-size:clamp(1.35rem,1rem + 1.5vw,1.95rem);margin:.35rem 0 .3rem;max-width:52rem}
.bundled{border:1px solid var(--rule);border-radius:10px;background:var(--surface);padding:.35rem 1rem;margin:.75rem 0}
.bundled>details>summary{font-size:.95rem;color:var(--ink);width:auto;padding:.35rem 0}
.bundled .wrap{padding:0}
.verdict p{color:var(--ink-2)}
.keys{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));margin:0;border-top:1px solid var(--rule)}
.keys>div{padding:.9rem 1.5rem 1rem;border-right:1px solid var(--rule-2)}
.keys>div:last-child{border-right:0}
.keys dt{font-size:.8125rem;color:var(--ink-3);margin-top:.15rem}
.keys dd{margin:0}
.keys .figure{font-size:1.6rem;font-weight:650;letter-spacing:-.02em;line-height:1.2;white-space:nowrap}
.keys .beside{font-size:.8125rem;color:var(--ink-2)}
.keys .arrow{color:var(--ink-3);font-weight:400;padding:0 .1em}
.keys>div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
${statuses.map((status) => `.is-${status}{--tone:var(--${status});--tint:var(--${status}-bg)}`).join("\n")}
.is-neutral{--tone:var(--accent);--tint:var(--sunken)}
.scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:10px;background:var(--surface);margin:.75rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem;overflow-wrap:break-word}
td>code{display:inline-block;min-width:11rem;overflow-wrap:anywhere}
.word{white-space:nowrap}
.text{min-width:9rem;max-width:26rem;overflow-wrap:anywhere}
th,td{padding:.42rem .9rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule-2)}
tbody tr:last-child>*{border-bottom:0}
thead th{font-weight:600;color:var(--ink);vertical-align:bottom;background:var(--sunken);border-bottom:1px solid var(--rule)}
thead th small{display:block;font-weight:450;color:var(--ink-3);font-size:.78rem}
tbody th{font-weight:450}
tbody tr.key>*{font-weight:650}
tbody th small{display:block;color:var(--ink-3);font-size:.78rem;line-height:1.35}
.part th{padding-left:2rem;color:var(--ink-2)}
.group>*{border-top:1px solid var(--rule)}
.quoted{color:var(--ink-3);background:var(--sunken);border-left:1px solid var(--rule-2)}
.mine{background:color-mix(in srgb,var(--s1) 7%,transparent)}
.wide-first th:first-child{min-width:13rem}
table.dense{font-size:.8125rem}
table.dense th,table.dense td{padding:.25rem .7rem}
table.dense .small{font-size:.75rem}
.sticky th:first-child{position:sticky;left:0;background:var(--surface);z-index:1}
.sticky thead th:first-child{background:var(--sunken)}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--ink-2);font-size:.875rem;width:fit-content;padding:.15rem 0}
summary:hover{color:var(--accent)}
.command{display:flex;gap:.75rem;align-items:flex-start;background:var(--sunken);border:1px solid var(--rule);border-radius:8px;padding:.6rem .8rem;margin:.5rem 0}
.command code{flex:1;white-space:pre-wrap}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.6rem 2rem;margin:.75rem 0}
.facts dt{font-size:.8125rem;color:var(--ink-3)}
.facts dd{margin:0}
.finding{border:1px solid var(--rule);border-left:4px solid var(--failed);border-radius:10px;background:var(--surface);padding:1rem 1.25rem;margin:1rem 0}
.finding.inherent{border-left-color:var(--rule)}
.finding h3{margin:0;font-size:1.05rem}
.finding .who{color:var(--ink-3);font-size:.875rem;margin:0}
.events{list-style:none;margin:.6rem 0 0;padding:0;font-size:.875rem}
.events li{display:grid;grid-template-columns:1.9rem 6.5rem 6rem 1fr;gap:0 .75rem;padding:.22rem 0;border-top:1px solid var(--rule-2)}
.events .n{color:var(--ink-3);text-align:right}
.events .t{text-align:right;white-space:nowrap;color:var(--ink-2)}
.events .a{font-weight:600}
.events .fact{color:var(--ink-3)}
.events .note{display:block;color:var(--ink-2)}
.events .note::first-letter{color:var(--failed);font-weight:700}
.inherent .events .note::first-letter{color:inherit}
.warning{border-left:4px solid var(--unknown);background:var(--unknown-bg);padding:.5rem .9rem;border-radius:6px;margin:.75rem 0 0;max-width:none}
figure{margin:1.25rem 0 .5rem}
figcaption{font-weight:600;font-size:.95rem}
figcaption small{display:block;font-weight:400;color:var(--ink-3);font-size:.8125rem;max-width:48rem}
figure svg{display:block;width:100%;height:auto;margin-top:.5rem}
.pair .facts{grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.6rem 1.25rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 2.5rem}
.pair figure{min-width:0}
.wide{display:block}
.narrow{display:none}
@media (max-width:40rem){
.wide{display:none}
.narrow{display:block}
.verdict-say{padding:1.1rem 1.1rem}
.keys{grid-template-columns:minmax(0,1fr)}
.keys>div{padding:.6rem 1.1rem .65rem;border-right:0;border-bottom:1px solid var(--rule-2)}
.keys>div:last-child{border-bottom:0}
.keys.short{grid-template-columns:repeat(2,minmax(0,1fr))}
.keys .figure{font-size:1.35rem}
.grid-table td{min-width:7.5rem}
.grid-table tbody th{white-space:normal}
.wide-first .num{white-space:normal;overflow-wrap:normal}
.pair{grid-template-columns:minmax(0,1fr)}
.finding{padding:.9rem .9rem}
.events li{grid-template-columns:1.5rem 1fr auto;gap:0 .5rem;padding:.4rem 0}
.events .t{grid-column:3;grid-row:1}
.events .a{grid-column:2;grid-row:1}
.events .w{grid-column:2/4}
table{font-size:.82rem}
th,td{padding:.38rem .5rem}
tbody th small{display:none}
.part th{padding-left:1.1rem}
table.dense tbody th{min-width:7rem}
.wide-first th:first-child{min-width:7.5rem}
}
@media print{.wide{display:block}.narrow{display:none}.pair{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.scroll{overflow:visible}
.scroll table{font-size:7.5pt;overflow-wrap:anywhere}.scroll th,.scroll td{padding:.2rem .4rem}
.num,.grid-table tbody th,.scroll .word{white-space:normal}.text,td>code,.wide-first th:first-child{min-width:0}
.events li{grid-template-columns:1.5rem 5.5rem 5rem 1fr}}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;list-style:none;padding:0;margin:.4rem 0 0;font-size:.8125rem;color:var(--ink-2)}
.legend svg{display:inline-block;width:1.6rem;height:.8rem;margin:0 .4rem 0 0;vertical-align:-.05rem}
.legend li{display:flex;align-items:center}
.readout{display:none;min-height:1.3em;line-height:1.3;font-size:.8125rem;color:var(--ink-2);margin:0}
.js .readout{display:block}
figure details{margin:.1rem 0}
${seriesNames.map((series) => `.${series}{--c:var(--${series})}`).join("\n")}
.line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.line.s-control{stroke-dasharray:7 4}
.line.s-literal{stroke-dasharray:2 4}
.line.s2{stroke-dasharray:12 4}
.line.s3{stroke-dasharray:12 4 2 4}
.line.s4{stroke-dasharray:6 3 2 3}
.line.s5{stroke-dasharray:3 3}
.line.s6{stroke-dasharray:16 3 3 3}
.line.thin{stroke-width:1.25;opacity:.55;stroke-dasharray:none}
.dot{fill:var(--c)}
.ring{fill:var(--surface);stroke:var(--c);stroke-width:1.75}
.band-outer{fill:var(--c);opacity:.2}
.band-inner{fill:var(--c);opacity:.38}
.bar{fill:var(--c)}
.offered{fill:var(--ink-3);opacity:.22}
.axis{stroke:var(--ink-3);stroke-width:1}
.grid{stroke:var(--rule);stroke-width:1}
.tick,.label{fill:var(--ink-3);font-size:12px}
.label.strong{fill:var(--ink);font-weight:600}
.label.on{fill:var(--c)}
.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}
.finding .halo{stroke:var(--surface)}
.round-edge{stroke:var(--ink-3);stroke-width:1;stroke-dasharray:1 3}
.threshold{fill:var(--ink-3);opacity:.14}
.interval{fill:none;stroke:var(--m);stroke-width:2}
.interval.open{stroke-dasharray:2 5;opacity:.6}
.effect-dot{fill:var(--m);stroke:var(--surface);stroke-width:1.5}
.m-regressed{--m:var(--failed)}.m-improved{--m:var(--passed)}.m-unchanged{--m:var(--s1)}.m-inconclusive,.m-ungated{--m:var(--ink-3)}
.pair-link{stroke:var(--ink-3);stroke-width:1;opacity:.6}
.triple{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:0 2rem}
.triple figure{min-width:0}
.load-end{stroke:var(--ink-3);stroke-width:1;stroke-dasharray:4 3}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
.cursor{stroke:var(--ink-2);stroke-width:1;visibility:hidden}
.f-network{--f:var(--f-network)}.f-redis{--f:var(--f-redis)}.f-worker{--f:var(--f-worker)}.f-clock{--f:var(--f-clock)}
.window{opacity:.34}
.window-edge{fill:none;stroke:var(--f);stroke-width:1;opacity:.6}
.window-label{fill:var(--f);font-size:11px;font-weight:600}
.pattern-ground{fill:var(--f);opacity:.22}
.pattern-ink{stroke:var(--f);stroke-width:1.4;fill:none}
.pattern-dot{fill:var(--f)}
.hold{fill:var(--c);opacity:.85}
.hold-past{fill:none;stroke:var(--c);stroke-width:1.5;stroke-dasharray:4 3}
.lane{stroke:var(--rule);stroke-width:1}
.overlap{fill:var(--failed);opacity:.13}
.overlap-edge{stroke:var(--failed);stroke-width:1.25;stroke-dasharray:3 2}
.overlap-label{fill:var(--failed);font-size:12px;font-weight:700}
.effect{fill:var(--ink);stroke:var(--surface);stroke-width:1.5}
.event{stroke:var(--ink);stroke-width:1.5;fill:var(--surface)}
.chip{position:relative;display:inline-block;border-radius:5px;padding:.05rem .45rem;font-size:.8125rem;font-weight:600;white-space:nowrap;text-decoration:none}
.v-held{color:var(--passed);background:var(--passed-bg)}
.v-broke{color:var(--failed);background:var(--failed-bg);box-shadow:inset 0 0 0 1px var(--failed)}
.v-hung{color:var(--failed);background:repeating-linear-gradient(45deg,var(--failed-bg) 0 5px,var(--surface) 5px 9px);box-shadow:inset 0 0 0 1px var(--failed)}
.v-unknown{color:var(--unknown);background:var(--unknown-bg);box-shadow:inset 0 0 0 1px var(--unknown)}
.v-not-applicable{color:var(--ink-3)}
a.chip:hover{text-decoration:underline}
.grid-table .chip{white-space:normal}
.grid-table tbody th{white-space:nowrap}
.grid-table thead th{vertical-align:bottom}
.cell-evidence{border-top:1px solid var(--rule-2);padding:.15rem 0;scroll-margin-top:4rem}
.cell-evidence:target{background:var(--sunken)}
.cell-evidence summary{font-size:.9375rem;color:var(--ink)}
.goal-bar{fill:var(--ink-3);opacity:.25}
.pad{padding:.75rem 1rem;max-height:30rem;overflow:auto}
.versus{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.5rem 1.5rem;margin:.75rem 0}
.versus>div{border-left:3px solid var(--rule);padding-left:.75rem}
.versus>div.bad{border-color:var(--failed);font-weight:inherit}
.versus dt{font-size:.8125rem;color:var(--ink-3);font-weight:400}
.versus dd{margin:0}
.region-line{stroke:var(--c);stroke-width:2;opacity:.55}
.message{fill:none;stroke:var(--ink-2);stroke-width:1.4}
.message.open{stroke-dasharray:4 3}
.message-head{fill:var(--ink-2)}
.message-lost,.faulty-cross{fill:none;stroke:var(--failed);stroke-width:2;stroke-linecap:round}
.faulty-ring{fill:var(--failed-bg);stroke:var(--failed);stroke-width:2.5}
.step-text{fill:var(--ink);font-size:13px}
.step-text.faulty,.never{fill:var(--failed);font-weight:650}
.link-cut{stroke:var(--failed);stroke-width:2;stroke-dasharray:2 4}
.link-healed{stroke:var(--passed);stroke-width:2}
.end-line{stroke:var(--ink-3);stroke-dasharray:2 3}
.number{fill:var(--ink-2);font-size:10.5px}
`;
