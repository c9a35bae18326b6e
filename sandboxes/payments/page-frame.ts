const style = `
:root { color-scheme: light dark; --paper: #fbf8f2; --raised: #fffdf9; --ink: #1d2b36; --soft: #53616c; --line: #e6dfd2;
  --deep: #0d6660; --on-deep: #fffdf9; --warn: #7a4b00; --warn-paper: #fdf0d5; --danger: #a3261d; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1626; --raised: #16233a; --ink: #eef1ee; --soft: #aebac8;
  --line: #2a3950; --deep: #7fd6cb; --on-deep: #0d1626; --warn: #ffd899; --warn-paper: #35280f; --danger: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 24px 16px 48px; background: var(--paper); color: var(--ink);
  font: 17px/1.5 "Source Sans 3", "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { width: 100%; max-width: 560px; margin: 0 auto; display: grid; gap: 20px; }
main.wide { max-width: 960px; }
h1 { margin: 0; font: 500 28px/1.25 Literata, Georgia, serif; }
h2 { margin: 0 0 8px; font: 500 20px/1.3 Literata, Georgia, serif; }
p { margin: 0; }
.soft { color: var(--soft); }
.notice { background: var(--warn-paper); color: var(--warn); border-radius: 12px; padding: 12px 16px; font-weight: 600; }
.refused { color: var(--danger); font-weight: 600; }
section { background: var(--raised); border: 1px solid var(--line); border-radius: 16px; padding: 20px; }
table { width: 100%; border-collapse: collapse; }
td, th { padding: 6px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { text-align: right; }
tfoot td { font-weight: 600; border: 0; }
.merchant { display: grid; gap: 4px; padding: 20px; border-radius: 16px; background: var(--deep); color: var(--on-deep); }
.merchant h1 { font: inherit; }
.merchant .soft { color: inherit; }
.shop { display: flex; align-items: center; gap: 10px; font: 500 22px/1.3 Literata, Georgia, serif; }
.sun { width: 28px; height: 28px; border-radius: 50%; background: linear-gradient(#ffdf9f 55%, #0a2f3a 55%); }
.amount { font: 500 44px/1.2 Literata, Georgia, serif; }
.secure { display: flex; align-items: center; gap: 8px; }
.pair label { align-content: end; }
form { display: grid; gap: 12px; }
form h2 { margin: 0; }
form * + h2 { margin-top: 20px; }
form.row { display: flex; flex-wrap: wrap; gap: 8px; justify-content: end; }
label { display: grid; gap: 4px; font-weight: 600; }
.pair { display: grid; gap: 12px; grid-template-columns: 1fr 1fr; }
input, button, select { font: inherit; font-weight: 400; min-height: 48px; border-radius: 12px; border: 1px solid var(--soft); padding: 0 14px;
  background: none; color: inherit; width: 100%; }
form.row button { width: auto; min-height: 44px; }
button { cursor: pointer; }
button.pay { min-height: 56px; background: var(--deep); border-color: var(--deep); color: var(--on-deep); font-weight: 600; }
a { color: var(--deep); display: inline-flex; min-height: 44px; align-items: center; }
code { white-space: nowrap; }
details summary { cursor: pointer; padding: 10px 0; }
:focus-visible { outline: 3px solid var(--deep); outline-offset: 2px; }
`;

/** The HTML frame of the sandbox's pages. */
export const frame = (language: string, title: string, body: string, wide = false): string => `<!doctype html>
<html lang="${asText(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${asText(title)}</title>
<style>${style}</style>
</head>
<body>
<main${wide ? ' class="wide"' : ""}>
${body}
</main>
</body>
</html>`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const asText = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: currency.toUpperCase() }).format(amount / 100);
