/** The style sheet of an archive: the product's colours in both themes, and a plain style for print. */
export const ARCHIVE_STYLE = `:root {
  color-scheme: light dark;
  --paper: #fbf8f2; --raised: #fffdf9; --ink: #1d2b36; --soft: #53616c; --line: #e6dfd2; --deep: #0d6660; --night: #0d1626;
  --serif: "Literata", "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif;
  --sans: "Source Sans 3", "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #0d1626; --raised: #16233a; --ink: #eef1ee; --soft: #aebac8; --line: #2a3950; --deep: #7fd6cb; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0938rem/1.6 var(--sans); overflow-wrap: break-word; }
a { color: var(--deep); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--deep); outline-offset: 3px; border-radius: 4px; }
h1, h2, h3 { font-family: var(--serif); font-weight: 500; line-height: 1.15; margin: 0; text-wrap: balance; }
h2 { font-size: 1.9rem; margin-bottom: 1.5rem; }
img, video { max-width: 100%; height: auto; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--raised); padding: 0.75rem 1.25rem; border-radius: 2rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.cover { position: relative; display: grid; align-items: end; min-height: min(70vh, 44rem); background: var(--night); color: #fff; overflow: hidden; }
.cover img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.cover::after { content: ""; position: absolute; inset: 0; background: linear-gradient(to top, rgb(0 0 0 / 0.85), rgb(0 0 0 / 0.35) 40%, transparent 80%); }
.cover div { position: relative; z-index: 1; width: min(72rem, 100%); margin: 0 auto; padding: 6rem 1.5rem 2.5rem; }
.cover h1 { font-size: clamp(2.25rem, 7vw, 4.75rem); }
.cover .dates { font-size: 1.2rem; margin: 0.75rem 0 0; }
.cover a { color: #fff; }
.sky { background: linear-gradient(to top, #f3c9a4 -10%, #b98aa6 18%, #53608f 48%, #1b2c52 78%, #0d1626); }

.text, main > .story { width: min(40rem, calc(100% - 2.5rem)); margin: 3.5rem auto; }
.story { font: 1.2rem/1.75 var(--serif); }
.story h2 { font-size: 1.6rem; margin: 2rem 0 0.75rem; }
.story h3 { font-size: 1.3rem; margin: 1.75rem 0 0.5rem; }
.story blockquote { margin: 1.5rem 0; padding-inline-start: 1.25rem; border-inline-start: 3px solid var(--line); color: var(--soft); }
.story figure { margin: 2rem 0; }
.story figure img { display: block; border-radius: 0.75rem; margin: 0 auto; }
.story hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
figcaption { color: var(--soft); font: 1rem/1.5 var(--sans); margin-top: 0.4rem; }
article + article { margin-top: 3rem; padding-top: 3rem; border-top: 1px solid var(--line); }
article h3 { font-size: 1.5rem; }
.by { color: var(--soft); font-style: italic; }

.moments { list-style: none; margin: 0; padding: 0 0 0 1.5rem; border-left: 2px solid var(--line); }
.moments li { position: relative; padding-bottom: 2rem; }
.moments li::before { content: ""; position: absolute; left: calc(-1.5rem - 7px); top: 0.5rem; width: 12px; height: 12px; border-radius: 50%; background: var(--deep); }
.moments p { margin: 0.15rem 0; }
.moments img { display: block; margin-top: 0.75rem; border-radius: 0.75rem; }
.when, .place { color: var(--soft); }
.note { white-space: pre-line; }

.talk { list-style: none; margin: 0; padding: 0; }
.talk > li { margin-top: 1.5rem; }
.talk .talk { padding-left: 1.25rem; border-left: 2px solid var(--line); }
.talk p { margin: 0; }
.talk .said { white-space: pre-wrap; }

.photos { width: min(100rem, calc(100% - 1.5rem)); margin: 3.5rem auto; }
.photos h2 { padding: 0 0.5rem; }
.month { margin-bottom: 2.5rem; }
.month h3 { font: 600 1.0938rem/1.6 var(--sans); color: var(--soft); margin: 0 0.5rem 0.75rem; }
.story audio { display: block; width: 100%; }
.gallery { list-style: none; display: flex; flex-wrap: wrap; gap: 0.75rem 0.5rem; margin: 0; padding: 0; }
.gallery::after { content: ""; flex-grow: 20; }
.gallery li { min-width: min(9rem, 100%); max-width: 40rem; }
.gallery figure { margin: 0; }
.gallery a:has(img) { display: block; }
.gallery img { display: block; width: 100%; border-radius: 0.4rem; background: var(--line); }
.gallery .video { flex: 2 1 22rem; max-width: 40rem; }
@media (max-width: 30rem) { .gallery::after { flex-grow: 0; } }
.gallery video { display: block; width: 100%; aspect-ratio: 16 / 9; background: #000; border-radius: 0.4rem; }
.gallery audio { display: block; width: 100%; }
.gallery .said { white-space: pre-line; }
.gallery .video figcaption a { display: inline-block; min-height: 2.75rem; padding: 0.5rem 0; }
.nameless { display: grid; place-content: center; min-height: 9rem; padding: 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.4rem; }

.album { width: min(72rem, calc(100% - 2.5rem)); margin: 4rem auto 2rem; }
.album h1 { font-size: clamp(2.25rem, 6vw, 4rem); }
.album p { color: var(--soft); margin: 0.5rem 0 0; }
.cards { list-style: none; display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); width: min(72rem, calc(100% - 2.5rem)); margin: 0 auto 4rem; padding: 0; }
.card { border-radius: 1.5rem; overflow: hidden; background-color: var(--night); }
.card a { position: relative; display: grid; align-items: end; aspect-ratio: 4 / 3; color: #fff; text-decoration: none; border-radius: 1.5rem; }
.card a:focus-visible { outline-offset: -6px; outline-color: #7fd6cb; border-radius: 1.5rem; }
.card img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.card a > span { position: relative; display: grid; padding: 4rem 1.5rem 1.25rem; background: linear-gradient(to top, rgb(0 0 0 / 0.85), rgb(0 0 0 / 0.5) 60%, transparent); }
.card strong { font: 500 1.6rem/1.2 var(--serif); }
footer { border-top: 1px solid var(--line); padding: 2rem 1.5rem; text-align: center; color: var(--soft); }
footer p { margin: 0.25rem auto; max-width: 40rem; }
.mark { font-family: var(--serif); }

dialog.large { border: 0; padding: 0; margin: 0; width: 100vw; height: 100vh; max-width: none; max-height: none; background: #070c16; color: #fff; }
dialog.large[open] { display: grid; grid-template-rows: auto 1fr auto; }
dialog.large img { width: 100%; height: 100%; object-fit: contain; min-height: 0; }
dialog.large .bar { display: flex; gap: 0.5rem; align-items: center; padding: 0.5rem; }
dialog.large .bar :first-child { margin-right: auto; }
dialog.large button, dialog.large .bar a { font: inherit; color: #fff; background: rgb(255 255 255 / 0.12); border: 0; border-radius: 2rem; min-height: 2.75rem; padding: 0.5rem 1.1rem; cursor: pointer; text-decoration: none; }
dialog.large :focus-visible { outline-color: #7fd6cb; }
dialog.large p { margin: 0; padding: 0.75rem 1.25rem 1.25rem; text-align: center; min-height: 3rem; }

@media print {
  :root { --paper: #fff; --raised: #fff; --ink: #000; --soft: #333; --line: #ccc; --deep: #000; }
  .cover { min-height: 0; color: #000; background: none; }
  .cover img { position: static; max-height: 12cm; }
  .cover::after, .skip, .gallery .video, dialog { display: none; }
  .cover div { padding: 1cm 0; }
  .gallery li, .moments li, article h3 { break-inside: avoid; }
  .gallery li { flex: 0 1 31%; }
  h2, h3 { break-after: avoid; }
}
`;

/** The lightbox of an archive; without scripts each photo opens as a file. */
export const ARCHIVE_SCRIPT = `"use strict";
(() => {
  const links = [...document.querySelectorAll("a[data-large]")];
  if (links.length === 0 || !window.HTMLDialogElement) return;
  const words = document.body.dataset;
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  const make = (name, parent, text) => {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    parent.append(element);
    return element;
  };
  const bar = make("div", dialog);
  bar.className = "bar";
  const file = make("a", bar, words.open);
  const previous = make("button", bar, words.previous);
  const next = make("button", bar, words.next);
  const close = make("button", bar, words.close);
  const image = make("img", dialog);
  const caption = make("p", dialog);
  document.body.append(dialog);

  let at = 0;
  const show = (place) => {
    at = (place + links.length) % links.length;
    const link = links[at];
    const small = link.querySelector("img");
    image.src = link.dataset.large;
    image.alt = small ? small.alt : link.textContent;
    file.href = link.dataset.file || link.dataset.large;
    const words = link.closest("figure").querySelector("figcaption");
    caption.textContent = words ? words.textContent : "";
    dialog.setAttribute("aria-label", image.alt);
  };
  links.forEach((link, place) => {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      show(place);
      dialog.showModal();
    });
  });
  previous.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => show(at + 1));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    image.removeAttribute("src");
    links[at].focus();
  });
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft") show(at - 1);
    if (key === "ArrowRight") show(at + 1);
  });
})();
`;
