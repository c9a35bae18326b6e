import type { Message } from "./messages.ts";

export type Part = "html" | "text" | "headers";

interface InboxPage {
  /** The path of the inbox itself, without a slash at its end. */
  base: string;
  list: Message[];
  open?: Message;
  part: Part;
  version: number;
}

/** Renders the list of messages, and the open message beside it. */
export function inboxPage({ base, list, open, part, version }: InboxPage): string {
  const title = open ? titleOf(open) : "Sandbox inbox";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${asText(title)}</title>
<style>${style}</style>
</head>
<body class="${open ? "reading" : "browsing"}">
<header>
  <h1><a href="${base}">Sandbox inbox</a></h1>
  <p>Mail and text messages that would have gone out. Nothing here leaves this machine.</p>
  <form method="post" action="${base}/clear"><button${list.length === 0 ? " disabled" : ""}>Delete all</button></form>
</header>
<main>
  <nav aria-label="Messages">${list.length === 0 ? nothing : `<ul>${list.map((one) => line(base, one, open)).join("")}</ul>`}</nav>
  ${open ? reading(base, open, part) : `<section class="empty"><p>${list.length === 0 ? "" : "Choose a message to read it."}</p></section>`}
</main>
<script src="${base}/refresh.js" data-base="${base}" data-version="${version}"></script>
</body>
</html>`;
}

/** Reloads the page when the messages change. A separate file, because the page's policy forbids inline scripts. */
export const refreshScript = `
const { base, version } = document.currentScript.dataset;
setInterval(async () => {
  const answer = await fetch(base + "/version").then((reply) => reply.json(), () => undefined);
  if (answer && answer.version !== Number(version)) location.reload();
}, 2000);
`;

const nothing = `<p class="empty">No messages yet. Register an account, and its welcome email arrives here.</p>`;

const titleOf = (message: Message) => message.subject || (message.kind === "sms" ? "Text message" : "(no subject)");

const line = (base: string, message: Message, open: Message | undefined) => `
  <li><a href="${base}/${message.id}"${message.id === open?.id ? ' aria-current="page"' : ""}>
    <span class="who">${asText(message.recipients.join(", "))}</span>
    <time datetime="${message.receivedAt}">${message.receivedAt.slice(11, 19)}</time>
    <span class="what">${message.kind === "sms" ? '<b class="kind">SMS</b> ' : ""}${asText(message.subject || message.text)}</span>
  </a></li>`;

function reading(base: string, message: Message, part: Part): string {
  const shownPart: Part = part === "html" && message.html === undefined ? "text" : part;
  const tab = (name: Part, label: string) =>
    `<a href="${base}/${message.id}?part=${name}"${name === shownPart ? ' aria-current="page"' : ""}>${label}</a>`;
  return `<article>
    <a class="back" href="${base}">All messages</a>
    <h2>${asText(titleOf(message))}</h2>
    <dl>
      ${fact("From", message.from)}
      ${fact("To", message.recipients.filter((one) => !message.hidden.includes(one)).join(", "))}
      ${message.hidden.length > 0 ? fact("Hidden copy", message.hidden.join(", ")) : ""}
      ${fact("Received", message.receivedAt.replace("T", " ").replace(/\.\d+Z$/, " UTC"))}
    </dl>
    <nav class="tabs" aria-label="Parts">${message.html === undefined ? "" : tab("html", "Letter")}${tab("text", "Text")}${tab("headers", message.kind === "sms" ? "Fields" : "Headers")}</nav>
    ${content(base, message, shownPart)}
  </article>`;
}

function content(base: string, message: Message, part: Part): string {
  if (part === "html") {
    const sandbox = "allow-popups allow-popups-to-escape-sandbox";
    return `<iframe title="${asText(titleOf(message))}" sandbox="${sandbox}" src="${base}/${message.id}/html"></iframe>`;
  }
  if (part === "text") return `<pre tabindex="0">${linked(asText(message.text))}</pre>`;
  const rows = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  return `<pre tabindex="0">${asText(rows.join("\n"))}</pre>`;
}

const fact = (name: string, value: string) => `<dt>${name}</dt><dd>${asText(value)}</dd>`;

/** Converts URLs in escaped text to links. */
const linked = (text: string) =>
  text.replace(/https?:\/\/[^\s<>"']+/g, (url) => `<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`);

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const asText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** The inbox's styles, in a light and a dark theme. */
const style = `
:root { color-scheme: light dark; --paper: #fbf8f2; --raised: #fffdf9; --ink: #1d2b36; --soft: #53616c; --line: #e6dfd2;
  --deep: #0d6660; --wash: #e0f3f0; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1626; --raised: #16233a; --ink: #eef1ee; --soft: #aebac8;
  --line: #2a3950; --deep: #7fd6cb; --wash: #17383f; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 17px/1.5 "Source Sans 3", "Segoe UI", Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
a { color: var(--deep); }
:focus-visible { outline: 3px solid var(--deep); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; padding: 16px 24px;
  border-bottom: 1px solid var(--line); background: var(--raised); }
h1, h2 { font-family: Literata, Georgia, serif; font-weight: 500; margin: 0; line-height: 1.25; }
h1 { font-size: 24px; }
h1 a { color: inherit; text-decoration: none; }
h2 { font-size: 26px; }
header p { margin: 0; color: var(--soft); flex: 1 1 300px; }
button { font: inherit; min-height: 44px; padding: 0 20px; border-radius: 999px; border: 1px solid var(--soft);
  background: none; color: var(--ink); cursor: pointer; }
button:disabled { color: var(--soft); border-color: var(--line); cursor: default; }
main { flex: 1; display: grid; grid-template-columns: minmax(280px, 360px) minmax(0, 1fr); }
main > nav { border-right: 1px solid var(--line); }
ul { list-style: none; margin: 0; padding: 0; }
li a { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding: 12px 24px; min-height: 44px; color: inherit;
  text-decoration: none; border-bottom: 1px solid var(--line); }
li a:hover { background: var(--raised); }
li a[aria-current] { background: var(--wash); }
.who { font-weight: 600; }
time, .what { color: var(--soft); font-size: 16px; }
.what { grid-column: 1 / -1; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.kind { color: var(--deep); }
.empty { color: var(--soft); padding: 24px; margin: 0; }
article { display: flex; flex-direction: column; padding: 24px; min-width: 0; }
.back { display: none; min-height: 44px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 16px; margin: 12px 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.tabs { display: flex; gap: 8px; margin-bottom: 12px; }
.tabs a { min-height: 44px; padding: 9px 18px; border-radius: 999px; text-decoration: none; }
.tabs a[aria-current] { background: var(--wash); color: var(--ink); }
iframe, pre { flex: 1; width: 100%; min-height: 70vh; margin: 0; border: 1px solid var(--line); border-radius: 12px;
  background: var(--raised); }
pre { padding: 16px; white-space: pre-wrap; font: 16px/1.5 ui-monospace, Menlo, Consolas, monospace; min-height: 0; }
@media (max-width: 760px) {
  header { padding: 12px 16px; }
  main { grid-template-columns: minmax(0, 1fr); }
  main > nav { border-right: 0; }
  .reading main > nav, .browsing .empty:not(p) { display: none; }
  .back { display: block; padding: 10px 0; }
  article { padding: 16px; }
  li a { padding: 12px 16px; }
}
`;
