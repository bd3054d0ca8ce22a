export const base = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:3.5rem}
body{margin:0;background:var(--bg);color:var(--ink);font:400 1rem/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
code,pre,.mono{font-family:ui-monospace,"SF Mono","Cascadia Mono","JetBrains Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
.wrap{max-width:70rem;margin:0 auto;padding:0 1.5rem}
.skip{position:absolute;left:-100rem}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{left:1rem;top:.5rem;background:var(--surface);padding:.5rem .75rem;z-index:3}
.top{background:var(--bg);border-bottom:1px solid var(--rule);position:sticky;top:0;z-index:2}
.top .wrap{display:flex;align-items:center;gap:1rem;min-height:2.75rem}
.mark{display:flex;align-items:center;gap:.5rem;font-weight:650;letter-spacing:-.01em;white-space:nowrap}
.mark svg{width:1.1rem;height:1.1rem;color:var(--accent)}
.mark span{color:var(--ink-3);font-weight:450}
.top nav{display:flex;gap:.25rem 1rem;margin-left:auto;overflow-x:auto;white-space:nowrap;font-size:.875rem;scrollbar-width:none;padding-right:1.25rem;mask-image:linear-gradient(to right,#000 calc(100% - 1.5rem),transparent)}
.top nav a{color:var(--ink-2);text-decoration:none;padding:.65rem 0}
.top nav a:hover{color:var(--accent);text-decoration:underline}
button{font:inherit;color:var(--ink-2);background:var(--surface);border:1px solid var(--rule);border-radius:6px;padding:.2rem .6rem;font-size:.8125rem;cursor:pointer}
button:hover{border-color:var(--ink-3);color:var(--ink)}
.js-only{display:none}
.js .js-only{display:inline-block}
main{padding-bottom:4rem}
section{margin-top:3rem}
h1,h2,h3,h4{line-height:1.25;letter-spacing:-.012em;margin:0;font-weight:650;text-wrap:balance}
h2{font-size:1.3rem;margin-bottom:.35rem}
h3{font-size:1.02rem;margin:1.75rem 0 .35rem}
h4{font-size:.875rem;margin:1rem 0 .25rem;color:var(--ink-2)}
p{margin:.35rem 0;max-width:48rem;text-wrap:pretty}
.lead{color:var(--ink-2)}
.quiet{color:var(--ink-3)}
.small{font-size:.875rem}
.on-paper{display:none}
.num{text-align:right;white-space:nowrap}
.good{color:var(--passed)}
.bad{color:var(--failed);font-weight:650}
.plainlist{list-style:none;margin:.5rem 0;padding:0;display:grid;gap:.4rem;max-width:52rem}
.plainlist li{padding-left:.9rem;border-left:2px solid var(--rule)}
footer{border-top:1px solid var(--rule);color:var(--ink-3);font-size:.8125rem;padding:1rem 0 2rem}
@media (max-width:40rem){
.wrap{padding:0 1rem}
section{margin-top:2.25rem}
.top .wrap{gap:.6rem}
.mark span{display:none}
}
@media print{
@page{margin:12mm}
body{font-size:9.5pt}
.top{position:static}
.top nav,.js .js-only,.skip{display:none}
.wrap{max-width:none;padding:0}
section{margin-top:1.4rem}
figure,.events li,tr,.verdict,.command{break-inside:avoid}
.finding>h3,.finding>.who,.finding>p{break-after:avoid}
.on-screen{display:none}
h2,h3{break-after:avoid}
.on-paper{display:block}
a{color:inherit}
details:not([open])>*:not(summary){display:block}
details::details-content{content-visibility:visible;block-size:auto;opacity:1}
}
`;
