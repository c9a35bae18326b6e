import { agreedAccounts, type SandboxAccount } from "./accounts.ts";

const style = `
:root { color-scheme: light dark; --paper: #fbf8f2; --raised: #fffdf9; --ink: #1d2b36; --soft: #53616c; --line: #e6dfd2;
  --deep: #0d6660; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1626; --raised: #16233a; --ink: #eef1ee; --soft: #aebac8;
  --line: #2a3950; --deep: #7fd6cb; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--paper);
  color: var(--ink); font: 17px/1.5 "Source Sans 3", "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { width: 100%; max-width: 440px; padding: 28px 24px; background: var(--raised); border: 1px solid var(--line);
  border-radius: 16px; }
h1 { margin: 0 0 4px; font: 500 26px/1.25 Literata, Georgia, serif; }
p { margin: 0 0 20px; color: var(--soft); }
form { display: grid; gap: 8px; margin: 0 0 16px; }
label { font-weight: 600; }
input, button { font: inherit; min-height: 48px; border-radius: 12px; border: 1px solid var(--soft); padding: 0 16px;
  background: none; color: inherit; width: 100%; }
button { cursor: pointer; text-align: left; padding-block: 8px; }
button small { display: block; color: var(--soft); font-size: 15px; }
button.next, .ends button { text-align: center; }
button.next { border-color: var(--deep); color: var(--deep); font-weight: 600; }
.ends { grid-template-columns: 1fr 1fr; margin: 0; padding-top: 16px; border-top: 1px solid var(--line); }
:focus-visible { outline: 3px solid var(--deep); outline-offset: 2px; }
`;

/** Where somebody says who they are. `client` is whom the sandbox stands in for, `hint` whom the client expects. */
export const signInPage = ({ client, hint }: { client: string; hint: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Sandbox sign-in</title>
<style>${style}</style>
</head>
<body>
<main>
  <h1>Sign in with ${asText(client)}</h1>
  <p>This sandbox stands in for the real one. Nothing here leaves this machine.</p>
  <form method="post">${agreedAccounts().map(choice).join("")}</form>
  <form method="post">
    <label for="login">Another address</label>
    <input id="login" name="login" type="email" required autocomplete="off" value="${asText(hint)}">
    <button class="next">Continue</button>
  </form>
  <form method="post" class="ends">
    <button name="end" value="cancel">Cancel</button>
    <button name="end" value="error">Fail</button>
  </form>
</main>
</body>
</html>`;

const choice = ({ login, name, note }: SandboxAccount) => `
    <button name="login" value="${asText(login)}">${asText(name ?? "Without a name")}
      <small>${asText(login)}${note ? `, ${asText(note)}` : ""}</small></button>`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const asText = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
