/** Shows the photos of an archive's page over the whole window; without it each opens as a file. */
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
