import type { Message } from "./messages.ts";
import { style } from "./page-style.ts";

export type Part = "html" | "text" | "headers";

interface InboxPage {
  /** The path of the inbox itself, without a slash at its end. */
  base: string;
  list: Message[];
  open?: Message;
  part: Part;
  version: number;
}

/** The list, and beside it the message that is open. */
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

/** Shows what has come or gone since; a file of its own, as the page may run no script that is in it. */
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
  const shown: Part = part === "html" && message.html === undefined ? "text" : part;
  const tab = (name: Part, label: string) =>
    `<a href="${base}/${message.id}?part=${name}"${name === shown ? ' aria-current="page"' : ""}>${label}</a>`;
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
    ${content(base, message, shown)}
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

/** Addresses in a text that is escaped already, made to be followed. */
const linked = (text: string) =>
  text.replace(/https?:\/\/[^\s<>"']+/g, (url) => `<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`);

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const asText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
