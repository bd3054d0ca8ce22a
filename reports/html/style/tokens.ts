/** Colours by role. Text reaches a contrast of 4.5 : 1 on its ground; series and faults differ by pattern as well. */
const light: Record<string, string> = {
  bg: "#fafaf8",
  surface: "#ffffff",
  sunken: "#f1f2ef",
  ink: "#191d21",
  "ink-2": "#474f57",
  "ink-3": "#626b74",
  rule: "#dcdfdb",
  "rule-2": "#eceeea",
  accent: "#0a57a4",
  passed: "#08664d",
  "passed-bg": "#e4f3ed",
  failed: "#ab2808",
  "failed-bg": "#fdebe5",
  unknown: "#775300",
  "unknown-bg": "#fbf2d9",
  interrupted: "#57468a",
  "interrupted-bg": "#eeebf8",
  "s-control": "#bd4a05",
  "s-literal": "#6b7178",
  s1: "#0b62b8",
  s2: "#00795c",
  s3: "#a3307a",
  s4: "#6d4fc4",
  s5: "#7a6a00",
  s6: "#1f7f93",
  "f-network": "#5c7086",
  "f-redis": "#b23a60",
  "f-worker": "#6a51a3",
  "f-clock": "#8f6c00",
};

const dark: Record<string, string> = {
  bg: "#0e1317",
  surface: "#151b21",
  sunken: "#0a0e12",
  ink: "#e9edf0",
  "ink-2": "#b4bdc6",
  "ink-3": "#929da8",
  rule: "#2b343d",
  "rule-2": "#202830",
  accent: "#73b7ff",
  passed: "#53cda5",
  "passed-bg": "#0f2a21",
  failed: "#ff9277",
  "failed-bg": "#36180f",
  unknown: "#e8bd58",
  "unknown-bg": "#2d240e",
  interrupted: "#b9a8f2",
  "interrupted-bg": "#211c36",
  "s-control": "#ff9a5c",
  "s-literal": "#a0a9b2",
  s1: "#6ab2ff",
  s2: "#45d3a5",
  s3: "#f393cb",
  s4: "#bda4f7",
  s5: "#d9c65a",
  s6: "#69c9dd",
  "f-network": "#8fa3b8",
  "f-redis": "#ee87a6",
  "f-worker": "#b7a0ec",
  "f-clock": "#dcb857",
};

export const seriesNames = ["s-control", "s-literal", "s1", "s2", "s3", "s4", "s5", "s6"] as const;
export type SeriesName = (typeof seriesNames)[number];

const declare = (tokens: Record<string, string>) =>
  Object.entries(tokens)
    .map(([token, value]) => `--${token}:${value}`)
    .join(";");

export const tokens = `
:root{color-scheme:light dark;${declare(light)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${declare(dark)}}}
:root[data-theme=dark]{color-scheme:dark;${declare(dark)}}
:root[data-theme=light]{color-scheme:light}
@media print{:root,:root[data-theme=dark],:root:not([data-theme=light]){color-scheme:light;${declare({ ...light, bg: "#ffffff" })}}}
`;
